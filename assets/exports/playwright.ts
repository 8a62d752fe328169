{{head}}
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, request, test, type Page } from '@playwright/test';

const program = process.env.SSOTERM ?? 'ssoterm';
const fixed = process.env.SSOTERM_FIXED === '1';
const scenario = join(__dirname, {{scenario}});
const clientID = {{clientID}};
const redirectURI = {{redirectURI}};
const tenant = {{tenant}};
const call: Record<string, string> = fixed ? {{mendedCall}} : {{call}};

test.use({ ignoreHTTPSErrors: true });

const store = join(mkdtempSync(join(tmpdir(), 'ssoterm-')), 'store.sqlite');
let server: ChildProcess;
let origin: string;

test.beforeAll(async () => {
  server = spawn(program, ['serve', '--scenario', scenario, '--until', '{{step}}', ...(fixed ? ['--fixed'] : []),
    '--store', store, '--port', '0', '--approve', 'browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
  origin = await new Promise(resolve => createInterface({ input: server.stdout! }).once('line', resolve));
});

test.afterAll(() => { server.kill(); });

async function token(form: Record<string, string>) {
  const http = await request.newContext({ ignoreHTTPSErrors: true });
  return (await http.post(`${origin}/${tenant}/oauth2/v2.0/token`, { form: { client_id: clientID, ...form } })).json();
}

async function refresh() {
  const text = execFileSync(program, ['tokens', '--unmask', '--json', '--store', store], { encoding: 'utf8' });
  const own = JSON.parse(text).tokens.find((one: any) => one.type === 'RefreshToken' && one.clientID === clientID);
  return token({ grant_type: 'refresh_token', refresh_token: own.secret, scope: call.scope });
}

async function signIn(page: Page) {
  const verifier = randomBytes(48).toString('base64url');
  const places: string[] = [];
  page.on('response', answer => places.push(answer.headers()['location'] ?? ''));
  const query = new URLSearchParams({ client_id: clientID, response_type: 'code', redirect_uri: redirectURI,
    scope: call.scope, state: 's', code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url') });
  // The browser has no app for the redirect URI.
  await page.goto(`${origin}/${tenant}/oauth2/v2.0/authorize?${query}`).catch(() => undefined);
  const left = { ...call };
  const shows = async (selector: string) => await page.locator(selector).count() > 0;
  for (;;) {
    const back = places.find(place => place.startsWith(redirectURI));
    if (back) {
      const answer = new URL(back).searchParams;
      if (!answer.has('code')) return Object.fromEntries(answer);
      return token({ grant_type: 'authorization_code', code: answer.get('code')!, redirect_uri: redirectURI,
        code_verifier: verifier, scope: call.scope });
    }
    let button = '#idSIButton9';
    if (await shows('#i0116') && left.username) { await page.fill('#i0116', left.username); delete left.username; }
    else if (await shows('#i0118') && left.password) { await page.fill('#i0118', left.password); delete left.password; }
    else if (await shows('#number') && left.verification) {
      await page.fill('#number', await page.innerText('.number'));
      delete left.verification;
    } else if (await shows('[name=accept]') && left.consent) {
      if (left.consent === 'decline') button = '#idBtn_Back';
      delete left.consent;
    } else return { error_description: await page.innerText('main') };
    await Promise.all([
      page.waitForResponse(answer => answer.request().isNavigationRequest()),
      page.click(button, { noWaitAfter: true }),
    ]);
    await page.waitForLoadState();
  }
}

test('the call gets a token', async ({ page }) => {
  const answer = call.grant === 'refresh_token' ? await refresh() : await signIn(page);
  expect(answer, answer.error_description).toHaveProperty('access_token');
});
