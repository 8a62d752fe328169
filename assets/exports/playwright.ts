{{head}}
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, request, test, type Page } from '@playwright/test';

type Call = Record<string, any>;

const program = process.env.SSOTERM ?? 'ssoterm';
const fixed = process.env.SSOTERM_FIXED === '1';
const scenario = join(__dirname, {{scenario}});
const call: Call = fixed ? {{mendedCall}} : {{call}};

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

/** The fields that the program sends, with what it sends otherwise. */
function changed(endpoint: string, fields: Record<string, string | undefined>): Record<string, string> {
  const sent = Object.entries(fields).filter(([, value]) => value) as [string, string][];
  const all = Object.fromEntries(sent);
  for (const [name, value] of call['change_' + endpoint] ?? []) {
    delete all[name];
    if (value !== undefined) all[name] = value;
  }
  return all;
}

/** The newest token of a kind that a client has in the lab. */
function secret(kind: string, client: string): string {
  const text = execFileSync(program, ['tokens', '--unmask', '--json', '--store', store], { encoding: 'utf8' });
  return JSON.parse(text).tokens.filter((one: any) => one.type === kind && one.clientID === client).at(-1).secret;
}

/** The JSON of an answer, an error too. */
async function ask(path: string, form?: Record<string, string>, headers: Record<string, string> = {}): Promise<any> {
  const http = await request.newContext({ ignoreHTTPSErrors: true });
  try {
    const answer = form ? await http.post(origin + path, { form, headers }) : await http.get(origin + path);
    return await answer.json();
  } catch (lost) {
    return { error_description: String(lost) };
  } finally {
    await http.dispose();
  }
}

async function token(fields: Record<string, string>): Promise<any> {
  const form = changed('token', { client_id: call.client_id, client_secret: call.client_secret,
    grant_type: call.grant, ...fields });
  const redeem = () => ask(`/${call.redeems_at ?? call.tenant}/oauth2/v2.0/token`, form,
    call.origin ? { Origin: call.origin } : {});
  if (call.repeats) await redeem();
  return redeem();
}

/** What the call results in: tokens, or an error. */
async function answers(page: Page): Promise<any> {
  if (call.discovers) {
    const found = await ask(`/${call.tenant}/v2.0/.well-known/openid-configuration`);
    if (!found.token_endpoint) return found;
  }
  const { grant, scope } = call;
  if (grant === 'authorization_code') return signIn(page);
  if (grant === 'urn:ietf:params:oauth:grant-type:device_code') return signInElsewhere(page);
  if (grant === 'refresh_token') return token({ refresh_token: secret('RefreshToken', call.client_id), scope });
  if (grant === 'password') return token({ username: call.username, password: call.password, scope });
  if (call.assertion_of) {
    return token({ assertion: secret('AccessToken', call.assertion_of), requested_token_use: 'on_behalf_of', scope });
  }
  return token({ scope });
}

/** Answers the pages as the person does, and redeems the code as the program does. */
async function signIn(page: Page): Promise<any> {
  const verifier = randomBytes(48).toString('base64url');
  const places: string[] = [];
  page.on('response', answer => places.push(answer.headers()['location'] ?? ''));
  // With form_post, the browser posts the answer.
  page.on('request', asked => { if (asked.method() === 'POST') places.push(`${asked.url()}?${asked.postData() ?? ''}`); });
  const query = new URLSearchParams(changed('authorize', { client_id: call.client_id, response_type: 'code',
    redirect_uri: call.redirect_uri, scope: call.scope, state: 's', prompt: call.prompt,
    code_challenge_method: 'S256', code_challenge: createHash('sha256').update(verifier).digest('base64url') }));
  // The browser has nothing that answers at the redirect URI.
  await page.goto(`${origin}/${call.tenant}/oauth2/v2.0/${call.opens ?? 'authorize'}?${query}`).catch(() => undefined);
  const back = () => places.find(place => place.startsWith(call.redirect_uri));
  const failure = await fillIn(page, back);
  if (failure) return failure;
  const { search, hash } = new URL(back()!);
  const answer = new URLSearchParams(search || hash.slice(1));
  if (!answer.has('code')) return Object.fromEntries(answer);
  return token({ code: answer.get('code')!, redirect_uri: call.redirect_uri, code_verifier: verifier, scope: call.scope });
}

/** Enters the user code in a browser, as the person does, and asks once for the tokens. */
async function signInElsewhere(page: Page): Promise<any> {
  const asked = await ask(`/${call.tenant}/oauth2/v2.0/devicecode`,
    changed('deviceCode', { client_id: call.client_id, scope: call.scope }));
  if (!asked.device_code) return asked;
  try {
    await page.goto(asked.verification_uri);
    await page.fill('#code', asked.user_code);
    await page.press('#code', 'Enter');
    await page.waitForSelector('#code', { state: 'detached' });
    await fillIn(page, () => undefined);
  } catch {
    // The page cannot be reached, as the scenario says.
  }
  return token({ device_code: asked.device_code });
}

/** Answers pages until the browser is sent back, or returns what the last page says. */
async function fillIn(page: Page, back: () => string | undefined): Promise<any> {
  const left = { ...call };
  const shows = async (selector: string) => await page.locator(selector).count() > 0;
  while (!back()) {
    let button = '#idSIButton9';
    if (await shows('#i0116') && left.username) { await page.fill('#i0116', left.username); delete left.username; }
    else if (await shows('#i0118') && left.password) { await page.fill('#i0118', left.password); delete left.password; }
    else if (await shows('#number') && left.verification) {
      await page.fill('#number', left.verification === 'shown' ? await page.innerText('.number') : left.verification);
      delete left.verification;
    } else if (await shows('[name=accept]') && left.consent) {
      if (left.consent === 'decline') button = '#idBtn_Back';
      delete left.consent;
    } else {
      const hasNumber = (line: string) => /AADSTS|AADB2C/.test(line);
      const lines = (await page.innerText('main')).split('\n');
      return { error_description: [...lines.filter(hasNumber), ...lines.filter(line => !hasNumber(line))].join('\n') };
    }
    await Promise.all([
      page.waitForResponse(answer => answer.request().isNavigationRequest()),
      page.click(button, { noWaitAfter: true }),
    ]);
    await page.waitForLoadState().catch(() => undefined);
  }
}

test('the call gets a token', async ({ page }) => {
  const answer = await answers(page);
  expect(answer, answer.error_description).toHaveProperty('access_token');
});
