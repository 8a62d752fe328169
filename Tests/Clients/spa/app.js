"use strict";
// A browser app without a library: authorization code with PKCE, a hidden frame for silent sign-in, sign-out.
// config.json, from the test's server: {authority, client, redirect, frame, scope}.

const app = {};

const base64url = bytes => btoa(String.fromCharCode(...new Uint8Array(bytes)))
  .replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const random = () => base64url(crypto.getRandomValues(new Uint8Array(32)));
const decode = text => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
const claimsOf = token => JSON.parse(new TextDecoder().decode(decode(token.split(".")[1])));
const heading = text => { document.querySelector("h1").textContent = text; };

async function start() {
  app.config = await (await fetch("config.json")).json();
  app.metadata = await (await fetch(app.config.authority + "/v2.0/.well-known/openid-configuration")).json();
  const answer = new URLSearchParams(location.hash.slice(1) || location.search.slice(1));
  if (answer.has("code") && sessionStorage.verifier) {
    history.replaceState(null, "", location.pathname);
    await redeem(answer, sessionStorage.verifier, app.config.redirect);
    heading("signed in as " + app.claims.preferred_username);
  } else {
    heading(answer.get("error") || "signed out");
  }
}

/** The address of an authorization request; `app.pending` has what its answer is checked with. */
async function authorize(changes = {}) {
  const pending = { verifier: random(), state: random(), nonce: random() };
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(pending.verifier));
  app.pending = pending;
  return app.metadata.authorization_endpoint + "?" + new URLSearchParams({
    client_id: app.config.client, redirect_uri: app.config.redirect, response_type: "code", response_mode: "fragment",
    scope: app.config.scope, state: pending.state, nonce: pending.nonce, code_challenge: base64url(digest),
    code_challenge_method: "S256", ...changes });
}

async function signIn(changes) {
  const address = await authorize(changes);
  Object.assign(sessionStorage, app.pending);
  location.assign(address);
}

/** POST to the token endpoint: tokens, or an Error with the provider's own words. */
async function token(form) {
  const response = await fetch(app.metadata.token_endpoint, {
    method: "POST", body: new URLSearchParams({ client_id: app.config.client, scope: app.config.scope, ...form }) });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.error + " " + answer.error_description);
  app.tokens = { ...app.tokens, ...answer };
  if (answer.id_token) app.claims = await verified(answer.id_token);
  return answer;
}

async function redeem(answer, verifier, redirect) {
  if (answer.get("state") !== (app.pending || sessionStorage).state) throw new Error("another state");
  return token({ grant_type: "authorization_code", code: answer.get("code"), redirect_uri: redirect, code_verifier: verifier });
}

const refresh = () => token({ grant_type: "refresh_token", refresh_token: app.tokens.refresh_token });

/** The claims of an ID token, once a published key fits and issuer, audience and nonce are right. */
async function verified(compact) {
  const [header, payload, signature] = compact.split(".");
  const keys = (await (await fetch(app.metadata.jwks_uri)).json()).keys;
  const { kid } = JSON.parse(new TextDecoder().decode(decode(header)));
  const rsa = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("jwk", keys.find(key => key.kid === kid), rsa, false, ["verify"]);
  const isRight = await crypto.subtle.verify(rsa, key, decode(signature), new TextEncoder().encode(header + "." + payload));
  const claims = claimsOf(compact);
  const nonce = (app.pending || sessionStorage).nonce;
  if (!isRight || claims.iss !== app.metadata.issuer || claims.aud !== app.config.client) throw new Error("a foreign ID token");
  if (claims.nonce && claims.nonce !== nonce) throw new Error("another nonce");
  return claims;
}

/** `prompt=none` in a hidden frame: what comes back at the frame's own redirect URI. */
async function silent(changes = {}) {
  const address = await authorize({ prompt: "none", redirect_uri: app.config.frame, ...changes });
  const frame = document.createElement("iframe");
  frame.hidden = true;
  const answer = await new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the frame shows no answer")), 20000);
    frame.onload = () => {
      try {
        const { hash, search } = frame.contentWindow.location;      // throws while it is at another origin
        if (hash || search) { clearTimeout(timer); resolve(new URLSearchParams(hash.slice(1) || search.slice(1))); }
      } catch { /* not back yet */ }
    };
    frame.src = address;
    document.body.append(frame);
  });
  frame.remove();
  if (answer.has("error")) throw new Error(answer.get("error") + " " + answer.get("error_description"));
  if (answer.has("id_token")) app.claims = await verified(answer.get("id_token"));
  return answer.has("code") ? redeem(answer, app.pending.verifier, app.config.frame) : Object.fromEntries(answer);
}

async function whoAmI() {
  const headers = { Authorization: "Bearer " + app.tokens.access_token };
  return (await fetch(app.metadata.userinfo_endpoint, { headers })).json();
}

const signOut = () => location.assign(app.metadata.end_session_endpoint + "?"
  + new URLSearchParams({ post_logout_redirect_uri: app.config.redirect, client_id: app.config.client }));

document.querySelector("#in").onclick = () => signIn();
document.querySelector("#out").onclick = signOut;
start().catch(error => heading(error.message));
