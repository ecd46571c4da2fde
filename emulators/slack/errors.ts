import type { Outcome } from '../lib/api-call.ts'

/**
 * Slack's responses other than `ok`: text and status. The list is from Slack's page on incoming webhooks and its changelog of 2016-05-17;
 * `invalid_blocks…` is what webhooks answer to blocks that Block Kit doesn't allow.
 */
export const ERRORS = {
  invalid_payload: 400,
  invalid_blocks: 400,
  invalid_blocks_format: 400,
  no_text: 400,
  too_many_attachments: 400,
  user_not_found: 400,
  action_prohibited: 403,
  invalid_token: 403,
  posting_to_general_channel_denied: 403,
  team_disabled: 403,
  channel_not_found: 404,
  no_service: 404,
  no_team: 404,
  method_not_allowed: 405,
  channel_is_archived: 410,
  rate_limited: 429,
  rollup_error: 500,
  service_unavailable: 503,
} as const

export type ErrorName = keyof typeof ERRORS
export const ERROR_NAMES = Object.keys(ERRORS) as [ErrorName, ...ErrorName[]]

const PLAIN = { 'content-type': 'text/plain; charset=utf-8' }

export const ok: Outcome = { reply: { status: 200, headers: PLAIN, body: 'ok' } }

/** @param problem why, for the log: Slack itself doesn't say */
export function refused(name: ErrorName, problem: string, retryAfter?: number): Outcome {
  const headers = retryAfter === undefined ? PLAIN : { ...PLAIN, 'retry-after': String(retryAfter) }
  return { reply: { status: ERRORS[name], headers, body: name }, problem }
}
