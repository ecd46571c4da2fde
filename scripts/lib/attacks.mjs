/**
 * What is tried, and the tests that try it. A file may stand under several.
 * @type {readonly { theme: string, tried: string, files: readonly string[] }[]}
 */
export const attacks = [
  {
    theme: 'Authorisation',
    tried:
      'every registered route as visitor, stranger and owner; every operation of the API and tool of MCP with keys of strangers, of readers, revoked and expired; odd paths, methods and parameters given twice',
    files: ['src/server/http/authorisation.test.ts', 'src/server/api/api.test.ts'],
  },
  {
    theme: 'Headers, sessions, redirects, other sites',
    tried:
      'headers of every kind of answer, inline scripts, cookies, session fixation, sessions after a change of password or second factor, forged origins, places to be sent to, host names in mails',
    files: ['test/attack/browser.test.ts', 'src/server/accounts/https.test.ts', 'src/server/sites/connect.test.ts'],
  },
  {
    theme: 'Input',
    tried:
      'JSON prototypes, bodies, headers and addresses without end, slow requests, connections without end, smuggled lengths, file names and paths, formulas, markup, header and mail injection, whether an account exists',
    files: [
      'test/attack/names.test.ts',
      'test/attack/too-much.test.ts',
      'test/attack/too-slow.test.ts',
      'test/attack/files.test.ts',
      'test/attack/markup.test.ts',
      'test/attack/addresses.test.ts',
      'test/attack/whether-there-is-an-account.test.ts',
      'src/server/http/errors.test.ts',
      'src/core/csv.test.ts',
      'src/server/platform/file-names.test.ts',
    ],
  },
  {
    theme: 'Regular expressions',
    tried: 'every expression of the server over texts of a hundred thousand letters; that none is made of what somebody gives',
    files: ['test/attack/expressions.test.ts'],
  },
  {
    theme: 'Requests to addresses people give',
    tried: 'redirects, names that lead elsewhere the second time, IPv4 and IPv6 in every form, other protocols and ports, endless answers',
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
      'bombs that lie about their size, too many files, paths, passwords, damage, rows that cannot be, rows and uploads without end, long ones that keep everybody waiting',
    files: [
      'src/server/sync/import/file/zip.test.ts',
      'src/server/sync/import/bad-input.test.ts',
      'test/attack/imports-without-end.test.ts',
    ],
  },
  {
    theme: 'Mails',
    tried: 'markup, line ends, turned directions and endless names in every letter',
    files: ['src/server/mail/compose.test.ts', 'src/server/delivery/email/hostile-names.test.ts'],
  },
  {
    theme: 'Reports that leave an account',
    tried:
      'reports to people who were not asked, asking again and again, mails without end, whoever has unsubscribed put back by another schedule, senders who call themselves like the operator; clients who read what an agency noted for itself',
    files: ['test/attack/report-relay.test.ts', 'src/core/reports/sender-name.test.ts', 'test/attack/notes-that-leave.test.ts'],
  },
  {
    theme: 'What costs the operator money or space',
    tried:
      'text messages to ever new numbers, to one number from many accounts, from all together and to other countries; alert emails without end, and to somebody who has unsubscribed; reports and files of shared links without end',
    files: ['test/attack/messages-without-end.test.ts', 'test/attack/report-files-without-end.test.ts'],
  },
  {
    theme: 'Passwords and attempts',
    tried:
      'guessing at passwords, codes and links, from one network and from many; guessing wrongly to lock somebody else out; used and expired links, forged sessions, cookies that two readers understand differently, a log-in in progress when the password changes',
    files: [
      'test/attack/locked-out.test.ts',
      'test/attack/two-readings.test.ts',
      'test/attack/login-under-way.test.ts',
      'src/server/accounts/login.test.ts',
      'src/server/accounts/passwords/passwords.test.ts',
      'src/server/accounts/two-factor/two-factor.test.ts',
    ],
  },
  {
    theme: 'Accounts that change hands',
    tried:
      'every way to keep an account with a borrowed session, a moved address and its undoing, accounts prepared for somebody else, Google accounts that are only synced, addresses that Google does not vouch for',
    files: ['test/attack/borrowed-session.test.ts', 'test/attack/prepared-account.test.ts'],
  },
  {
    theme: 'Secrets and traces',
    tried:
      'that the search for secrets in logs finds every kind of them; that people see what happened to their account and from where, and nobody else does',
    files: ['test/secrets-in-logs.test.ts', 'src/server/accounts/audit/audit-log.test.ts'],
  },
  {
    theme: 'Whoever runs it',
    tried:
      'a demo that goes into production, accounts that claim the address of the one the command line means, a SECRET_KEY that was seen or is lost, backups that bring back what was revoked, whoever listens where a server was killed, internal routes through a proxy, mail without TLS, what the examples of deployment let whom do',
    files: [
      'test/attack/left-demo.test.ts',
      'test/attack/secret-key.test.ts',
      'test/deploy.test.ts',
      'src/server/http/this-machine.test.ts',
      'src/server/backup/backup.test.ts',
      'src/server/mail/mailer.test.ts',
      'src/server/support/support.test.ts',
      'src/server/sync/import/import.test.ts',
      'src/server/platform/secrets.test.ts',
    ],
  },
  {
    theme: 'Rules and alerts without end',
    tried:
      'rules that find thousands of things at once, are switched off and on or made anew to find them again; evaluations and backtests asked for endlessly, over long histories of large sites and of days with billions of clicks; alerts that are snoozed again and again',
    files: ['test/attack/rules-without-end.test.ts', 'test/attack/snoozed-without-end.test.ts'],
  },
  {
    theme: 'Others who are kept waiting',
    tried:
      'servers that take their time to answer tests and messages, from more accounts than there are database connections; a payment service and a mail server that do; people with many messages and mails waiting',
    files: ['test/attack/slow-servers.test.ts', 'src/server/delivery/racing.test.ts', 'src/server/sync/leases.test.ts'],
  },
  { theme: 'Fuzzing', tried: 'every body and query of the API, made at random', files: ['test/fuzz'] },
]
