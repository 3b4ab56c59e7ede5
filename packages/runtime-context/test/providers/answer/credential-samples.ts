/** Well-formed random samples, put together here so that no scanner takes this file for a leak. */
const letters = (seed: string, length: number): string => seed.repeat(Math.ceil(length / seed.length)).slice(0, length);

const PRIVATE_KEY_HEADER = ["-----BEGIN", "PRIVATE", "KEY-----"].join(" ");

/** One text at least for each rule of the contracts package. */
export const CREDENTIALS: Readonly<Record<string, string>> = {
  private_key: `${PRIVATE_KEY_HEADER}\n${letters("MIGHAgEAMBMGByqGSM49", 64)}\n`,
  github_token: `ghp_${letters("a1B2c3D4", 36)}`,
  github_token_fine: `github_pat_${letters("a1B2c3D4", 40)}`,
  gitlab_token: `glpat-${letters("a1B2c3D4", 20)}`,
  slack_token: `xoxb-${letters("1234567890-", 30)}`,
  slack_webhook: `https://hooks.slack.com/services/${letters("T0B1", 12)}`,
  aws_access_key: `AKIA${letters("A1B2C3D4", 16)}`,
  google_key: `AIza${letters("a1B2c3D4", 35)}`,
  stripe_key: `sk_live_${letters("a1B2c3D4", 24)}`,
  npm_token: `npm_${letters("a1B2c3D4", 36)}`,
  pypi_token: `pypi-AgE${letters("a1B2c3D4", 60)}`,
  json_web_token: `eyJ${letters("hbGciOiJI", 20)}.${letters("eyJzdWIi", 20)}.${letters("SflKxw", 20)}`,
  secret_key: `sk-proj-${letters("a1B2c3D4", 32)}`,
  secret_key_plain: `sk-${letters("a1B2c3D4", 32)}`,
  hugging_face_token: `hf_${letters("aBcDeFgH", 34)}`,
  sendgrid_key: `SG.${letters("a1B2c3D4", 22)}.${letters("a1B2c3D4", 43)}`,
  digitalocean_token: `dop_v1_${letters("a1b2c3d4", 64)}`,
  shopify_token: `shpat_${letters("a1b2c3d4", 32)}`,
  databricks_token: `dapi${letters("a1b2c3d4", 32)}`,
  vault_token: `hvs.${letters("a1B2c3D4", 30)}`,
  twilio_key: `SK${letters("a1b2c3d4", 32)}`,
  age_key: `AGE-SECRET-KEY-1${letters("A1B2C3D4", 58)}`,
  telegram_token: `123456789:AA${letters("a1B2c3D4", 33)}`,
  linear_key: `lin_api_${letters("a1B2c3D4", 40)}`,
  supabase_token: `sbp_${letters("a1b2c3d4", 40)}`,
  url_userinfo: "postgres://app:Qz7Hq2Wm4X@db.internal/main",
  authorization_header: "Authorization: Token Qz7Hq2Wm4Xv8Bn1",
  bearer_token: "bearer Qz7Hq2Wm4Xv8Bn1Kp3",
  basic_auth: `Basic ${Buffer.from("user:Qz7Hq2Wm4X").toString("base64")}`,
  cookie_header: "Cookie: sid=Qz7Hq2Wm4Xv8Bn1",
  credential_assignment: "password=Qz7Hq2Wm4X",
  credential_assignment_quoted: '"api_key": "Qz7Hq2Wm4Xv8Bn1"',
  credential_assignment_arrow: "secret => Qz7Hq2Wm4X",
  credential_assignment_chinese: "密码：Qz7Hq2Wm4X",
  credential_flag: "run --access-token Qz7Hq2Wm4Xv8Bn1",
  user_flag: "curl -u admin:Qz7Hq2Wm4X",
};
