import { startGoogle } from '../emulators/google/server.ts'
import { startSlack } from '../emulators/slack/server.ts'
import { startSms } from '../emulators/sms/server.ts'
import { startSmtp } from '../emulators/smtp/server.ts'
import { startWebhook } from '../emulators/webhook/server.ts'
import { generousQuotas } from '../test/support/app.ts'
import { type Control, createControl } from '../test/support/google-control.ts'
import { googleEnv } from '../test/support/google-env.ts'
import { createMailControl, type MailControl } from '../test/support/mail-control.ts'
import { createSlackControl, createSmsControl, createWebhookControl } from '../test/support/message-controls.ts'
import type { SlackControl, SmsControl, WebhookControl } from '../test/support/message-controls.ts'

/** Everything outside of Ranklark. It lives in this process, which nobody kills: what it received is the truth. */
export type StandIns = {
  google: Control
  mail: MailControl
  slack: SlackControl
  sms: SmsControl
  webhook: WebhookControl
  /** A server's settings for them. */
  env: Record<string, string>
  close(): Promise<void>
}

/** Milliseconds before a message is answered: long enough for a kill between sending and recording it. */
export const answerMs = 250

export async function startStandIns(): Promise<StandIns> {
  const [google, smtp, slack, sms, webhook] = await Promise.all([startGoogle(), startSmtp(), startSlack(), startSms(), startWebhook()])
  const controls = {
    google: createControl(google.url),
    mail: createMailControl(smtp.url),
    slack: createSlackControl(slack.url),
    sms: createSmsControl(sms.url),
    webhook: createWebhookControl(webhook),
  }
  await controls.google.call('PUT', 'quotas', generousQuotas)
  for (const each of [controls.slack, controls.sms, controls.webhook]) await each.call('PUT', '_control/delay', { ms: answerMs })
  return {
    ...controls,
    env: {
      DEMO: '0',
      ...googleEnv(google),
      SMTP_URL: smtp.smtpUrl,
      MAIL_FROM: 'Ranklark <no-reply@ranklark.example>',
      SLACK_URL: slack.url,
      TWILIO_ACCOUNT_SID: sms.accountSid,
      TWILIO_AUTH_TOKEN: sms.authToken,
      TWILIO_FROM: sms.number,
      TWILIO_API_URL: sms.url,
      WEBHOOK_PRIVATE_HOSTS: new URL(webhook.hookUrl).host,
    },
    close: async () => void (await Promise.all([google, smtp, slack, sms, webhook].map((each) => each.close()))),
  }
}
