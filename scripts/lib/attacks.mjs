/**
 * What is tried, and the tests that try it. A file can appear in several.
 * @type {readonly { theme: string, tried: string, files: readonly string[] }[]}
 */
export const attacks = [
  {
    theme: 'Authorization',
    tried:
      'every registered route as a visitor, a stranger and the owner; every API operation and MCP tool with keys that are read-only, revoked, expired or someone else’s; unusual paths and methods, repeated parameters',
    files: ['src/server/http/authorization.test.ts', 'src/server/api/api.test.ts'],
  },
  {
    theme: 'Headers, sessions, redirects, other sites',
    tried:
      'the headers of every kind of response, inline scripts, cookies, session fixation, sessions after a change of password or second factor, forged origins, redirect targets, host names in emails',
    files: ['test/attack/browser.test.ts', 'src/server/accounts/https.test.ts', 'src/server/sites/connect.test.ts'],
  },
  {
    theme: 'Input',
    tried:
      'JSON prototypes, endless bodies, headers and URLs, texts of a megabyte in every field of every request, slow requests, endless connections, request smuggling, file names and paths, calendar names passed as countries, formulas, markup, header and email injection, finding out whether an account exists',
    files: [
      'test/attack/names.test.ts',
      'test/attack/too-much.test.ts',
      'test/attack/long-texts.test.ts',
      'test/attack/too-slow.test.ts',
      'test/attack/files.test.ts',
      'test/attack/markup.test.ts',
      'test/attack/addresses.test.ts',
      'test/attack/whether-there-is-an-account.test.ts',
      'src/server/http/errors.test.ts',
      'src/core/csv.test.ts',
      'src/core/detection/holidays.test.ts',
      'src/server/platform/file-names.test.ts',
    ],
  },
  {
    theme: 'Regular expressions',
    tried:
      'every regular expression on the server against 100,000-character texts; that only the explorer builds them from user input, and that those are refused or stopped if they take too long',
    files: ['test/attack/expressions.test.ts', 'src/core/analytics/pattern-size.test.ts'],
  },
  {
    theme: 'The explorer and long lists',
    tried:
      'filters that look like SQL, other people’s segments, other people’s properties of the same name, dates before and after all data, expressions that repeat endlessly or take a long time at each position, texts and brand terms that nearly equal the names everywhere, formulas in every file, lists read from the millionth row, one period after another, downloads that nobody reads',
    files: ['test/attack/explorer.test.ts', 'test/attack/slow-searches.test.ts', 'src/server/analytics/explore/saved.test.ts'],
  },
  {
    theme: 'Requests to URLs that users enter',
    tried:
      'redirects, DNS names that resolve differently the second time, or to thousands of addresses, IPv4 and IPv6 in every form, other protocols and ports, endless responses',
    files: [
      'src/server/delivery/outbound/addresses.test.ts',
      'src/server/delivery/outbound/request.test.ts',
      'src/server/delivery/webhook/webhook-url.test.ts',
      'src/server/delivery/slack/slack-url.test.ts',
    ],
  },
  {
    theme: 'Uploads',
    tried:
      'ZIP bombs that lie about their size, too many files and tables, records and names that fill up memory, paths, passwords, damaged files, impossible rows, endless rows and uploads, dates, numbers and words of a hundred thousand characters, hundreds of tables with hundreds of column names that become longer, rows in random order that fill the store with tiny pieces, long files that keep everyone waiting, packed bytes that unpack to nothing',
    files: [
      'src/server/sync/import/file/zip.test.ts',
      'src/server/sync/import/bad-input.test.ts',
      'src/server/sync/import/memory.test.ts',
      'test/attack/imports-without-end.test.ts',
      'test/attack/long-cells.test.ts',
      'src/server/sync/import/grains.test.ts',
      'test/attack/imports-of-nothing.test.ts',
    ],
  },
  {
    theme: 'Emails',
    tried:
      'markup, line breaks, reversed text direction and endless names in every email; usernames that become links or pose as the operator in emails to strangers; endless emails to mailboxes that never agreed, from one network and from many, from accounts that have confirmed nothing, to one mailbox spelled in many ways; emails to strangers queued ahead of a reset link',
    files: [
      'src/server/mail/compose.test.ts',
      'src/server/delivery/email/hostile-names.test.ts',
      'test/attack/names-in-emails.test.ts',
      'test/attack/emails-without-end.test.ts',
      'test/attack/asks-without-end.test.ts',
      'src/core/accounts/mailbox-of.test.ts',
      'src/core/accounts/host-names.test.ts',
    ],
  },
  {
    theme: 'Reports that leave an account',
    tried:
      'reports to people who weren’t asked, asking again and again, including from one new account after another or after the secret key was replaced, endless emails, recipients who unsubscribed and are added back by another schedule, consent links from before an account was taken back, senders who pose as the operator, clients who read an agency’s internal notes, or words that somebody with a copied cookie wrote through any endpoint, words to an agency’s clients from a session without a proof',
    files: [
      'test/attack/report-relay.test.ts',
      'test/attack/put-off-reports.full.test.ts',
      'src/server/common/asked-addresses.test.ts',
      'src/core/reports/sender-name.test.ts',
      'test/attack/notes-that-leave.test.ts',
      'test/attack/words-of-a-session.test.ts',
      'test/attack/words-to-clients.test.ts',
    ],
  },
  {
    theme: 'What costs the operator money or space',
    tried:
      'text messages to more and more numbers, to one number from many accounts, from all accounts together and to other countries; endless alert emails, and some to a person who unsubscribed; messages about hundreds of alerts with long names; endless reports and shared-link files; clients, schedules, notes and rules that repeat the longest names; one period after another, whose reader hangs up; uploads, periods and temporary files of many accounts until the disk is full; endless payments that are started and never finished, from a hundred accounts on one network, endless properties and property names',
    files: [
      'test/attack/messages-without-end.test.ts',
      'src/server/delivery/bounded-messages.test.ts',
      'test/attack/report-files-without-end.test.ts',
      'test/attack/lists-without-end.test.ts',
      'test/attack/periods-without-end.test.ts',
      'test/attack/full-disk.test.ts',
      'src/server/facts/question.test.ts',
      'test/attack/payments-without-end.test.ts',
      'src/server/billing/turns.test.ts',
      'test/attack/properties-without-end.test.ts',
    ],
  },
  {
    theme: 'Passwords and attempts',
    tried:
      'guessing passwords, codes and links, from one network and from many; guessing wrong to lock someone else out; used and expired links, forged sessions, cookies that two readers parse differently, a login in progress while the password changes, hundreds of accounts that change theirs while somebody logs in with a second factor, endless made-up links and trusted browsers, using up the owner’s attempts and allowances with a copied cookie elsewhere',
    files: [
      'test/attack/locked-out.test.ts',
      'test/attack/two-readings.test.ts',
      'test/attack/login-under-way.test.ts',
      'test/attack/links-without-end.test.ts',
      'src/server/accounts/login.test.ts',
      'src/server/accounts/exclusively.test.ts',
      'src/server/accounts/passwords/passwords.test.ts',
      'src/server/accounts/two-factor/two-factor.test.ts',
      'src/core/accounts/password-advice.test.ts',
      'test/attack/used-up-elsewhere.test.ts',
    ],
  },
  {
    theme: 'Account takeover',
    tried:
      'every way to keep an account with a hijacked session, or to send its reports elsewhere or end its plan; a changed email address and its undo link, including a thief’s own, one used while a thief logs in with Google and an address that contains another account’s ID; usernames freed in order to take them, accounts prepared for someone else, Google accounts that are only synced, addresses that Google doesn’t vouch for, copies of a cookie after other sessions were ended, uploads and changes under way whose session has ended, claims of an address whose owner confirmed it',
    files: [
      'test/attack/borrowed-session.test.ts',
      'test/attack/taken-back.test.ts',
      'test/attack/prepared-account.test.ts',
      'test/attack/renamed.test.ts',
      'test/attack/copied-cookie.test.ts',
      'test/attack/session-over.test.ts',
      'test/attack/ended-alone.test.ts',
      'test/attack/claimed-addresses.test.ts',
    ],
  },
  {
    theme: 'Secrets and activity log',
    tried:
      'whether the log search finds every kind of secret; whether people, and nobody else, see what happened to their account and from where',
    files: ['test/secrets-in-logs.test.ts', 'src/server/accounts/audit/audit-log.test.ts'],
  },
  {
    theme: 'Operations',
    tried:
      'a demo that goes into production, accounts that claim an address given on the command line, a leaked or lost SECRET_KEY, backups that bring back revoked access or a thief’s address, processes that listen on a killed server’s port, internal routes through a proxy, email without TLS, permissions in the deployment examples, visitors’ addresses hidden by a proxy',
    files: [
      'test/attack/left-demo.test.ts',
      'test/attack/secret-key.test.ts',
      'test/deploy.test.ts',
      'src/server/accounts/audit/hidden-addresses.test.ts',
      'src/server/config.test.ts',
      'src/server/http/this-machine.test.ts',
      'src/server/backup/backup.test.ts',
      'src/server/backup/undo-links.full.test.ts',
      'src/server/mail/mailer.test.ts',
      'src/server/support/support.test.ts',
      'src/server/sync/import/import.test.ts',
      'src/server/platform/secrets.test.ts',
    ],
  },
  {
    theme: 'Endless rules and alerts',
    tried:
      'rules that find thousands of things at once, are toggled or recreated to find them again; endless evaluations and backtests, over long histories of large sites and days with billions of clicks; alerts that are snoozed again and again; rating links that are forged, used endlessly, or kept by someone who unsubscribed or left',
    files: [
      'test/attack/rules-without-end.test.ts',
      'test/attack/snoozed-without-end.test.ts',
      'src/server/delivery/verdict-links.test.ts',
    ],
  },
  {
    theme: 'Keeping others waiting',
    tried:
      'one request after another without a pause, including with a copied cookie; neighbors on one network who use up a minute’s requests; hundreds of requests at once for an account’s longest response, or for the numbers of ten thousand imported days; queries that need all the memory there is, or about more days than a statement may name; clients that hang up and ask again; slow servers at the other end of tests and messages, from more accounts than there are database connections; a slow payment service and mail server; people with many pending messages and emails, queries nobody waits for anymore, twenty-second queries of two accounts that delay everybody’s evaluations, digests and scheduled reports, endless different queries that push other people’s responses out of the cache, queries and downloads without end that keep new data from being stored, queries that fill both stores so that the readiness check fails, large responses that nobody reads, endless files behind one owner’s links, reports whose data takes long to read, “Evaluate Alerts” under slow rules, accounts whose rules use up everybody’s evaluations, property names chosen to collide with other people’s locks',
    files: [
      'test/attack/requests-at-once.test.ts',
      'test/attack/requests-of-a-minute.test.ts',
      'test/attack/neighbors.test.ts',
      'src/server/http/in-progress.test.ts',
      'src/server/http/tenants.test.ts',
      'src/server/http/slow-readers.test.ts',
      'test/attack/slow-servers.test.ts',
      'src/server/delivery/racing.test.ts',
      'src/server/database/leases.test.ts',
      'src/server/platform/fair-reads.test.ts',
      'src/server/facts/facts.test.ts',
      'src/server/facts/question.test.ts',
      'src/server/platform/fair-share.test.ts',
      'src/server/platform/active-time.test.ts',
      'src/server/platform/clickhouse/fair-streams.test.ts',
      'src/server/alerts/question-time.test.ts',
      'src/server/delivery/planning-turns.test.ts',
      'src/server/reports/schedules/plan-runs.test.ts',
      'src/server/reports/many-properties.test.ts',
      'src/server/platform/clickhouse/clickhouse.test.ts',
      'src/server/platform/clickhouse/clickhouse-server.test.ts',
      'src/server/stores/readiness.test.ts',
      'src/server/common/answer-cache.test.ts',
      'src/server/reports/reports-on-demand.test.ts',
      'test/attack/abandoned-queries.test.ts',
      'test/attack/shared-answers.test.ts',
      'test/attack/shared-places.test.ts',
      'test/attack/slow-accounts.test.ts',
      'test/attack/reports-that-take-long.test.ts',
      'test/attack/lock-names.test.ts',
      'test/attack/deletion-under-way.test.ts',
    ],
  },
  { theme: 'Fuzzing', tried: 'random bodies and queries for the whole API', files: ['test/fuzz'] },
]
