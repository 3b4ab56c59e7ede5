// Questions as an agent would ask them, each with the one message that answers it. Half of them share few words with it.
export const QUESTIONS = [
  [
    "why do we use a rollback journal instead of WAL",
    "We keep SQLite's rollback journal: a WAL database can't be read in a read-only folder, and sandboxes often are one.",
  ],
  ["how long does a claim's lease last", "Leases run for thirty minutes; renewing is activity and makes no event."],
  [
    "which port does the staging proxy listen on",
    "Staging's proxy is bound to 8443, the old 8080 is closed since Tuesday.",
  ],
  ["who has to approve the price change", "Marta signs off any change of prices, nobody else may."],
  [
    "what did we decide about retries of the payment webhook",
    "Payment webhooks: five retries with doubled waits, then a ticket for a person.",
  ],
  [
    "reason for pinning esbuild",
    "The newer esbuild splits chunks differently and broke our start-up pin, so its version stays fixed.",
  ],
  [
    "is the importer allowed to delete rows",
    "The importer only ever adds or updates; removal is done by the nightly job after a review.",
  ],
  ["where are customer exports stored", "Exports go to the bucket in Frankfurt and are erased after fourteen days."],
  [
    "what broke the login test",
    "The login test failed every third run since the clock of its fixture crossed midnight UTC.",
  ],
  ["how do we name feature branches", "Branches are called after the todo they serve, never after a person."],
  ["maximum upload size", "Uploads above 25 megabytes are refused with 413 before the body is read."],
  [
    "does the mobile app still need the v1 API",
    "Mobile version 4.2 was the last one to call v1; we can switch it off in March.",
  ],
  ["why was Redis dropped", "We threw Redis out: the queue had forty entries a day, a table does that."],
  [
    "what is the agreed error budget",
    "For the checkout we accept 0.1 % failed requests a month, measured at the load balancer.",
  ],
  ["which fonts are we licensed for", "The licence covers Inter and Source Serif, not the old Helvetica files."],
  [
    "when is the database migrated",
    "The migration of the database runs on Sunday at 04:00, with writes stopped for ten minutes.",
  ],
  [
    "how are secrets passed to the worker",
    "The worker reads secrets from files of mode 0600, never from its environment.",
  ],
  ["what should the empty state say", "When a list is empty we show one sentence and the button, no picture."],
  [
    "accessibility decision for the colour of warnings",
    "Warnings carry an icon besides the amber, for people who can't tell it from green.",
  ],
  [
    "why not use the vendor's SDK",
    "Their SDK pulls in 300 packages and retries silently, so we call the HTTP API ourselves.",
  ],
  ["rate limit of the search endpoint", "Search takes sixty requests a minute per key; bursts of ten are let through."],
  ["who owns the billing runbook", "Runbook and alarms of billing belong to Jun's group since the reorganisation."],
  [
    "what happens to drafts when a user leaves",
    "Drafts of a user who has left are handed to the team's lead after thirty days.",
  ],
  ["time zone used in reports", "Reports are made in the customer's own zone, stored times stay in UTC."],
  ["为什么不能在只读目录里用预写日志", "只读目录里的预写日志数据库无法读取，所以我们选择回滚日志。"],
  ["谁负责发布流程", "发布由小林负责，周四下午之后不再发布。"],
  ["退款需要多少天", "退款在五个工作日内完成，超过金额上限时由人工审核。"],
  ["リリースの手順はどこに書いてありますか", "リリースの手順は運用ハンドブックの第三章に書いてあります。"],
  ["flaky snapshot tests cause", "Snapshots differed between machines as fonts were missing; CI installs them now."],
  ["did we agree to support Windows", "Windows is tested for quoting alone; process control there is not promised."],
];
