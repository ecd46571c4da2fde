import type { Call } from '../../lib/http.ts'
import { unauthorized } from '../wire/errors.ts'
import type { Form } from '../wire/form.ts'
import type { World } from '../world.ts'

/** The key of a call: as Bearer, as the user name of Basic, or among the parameters of a browser's call. */
function keyOf(call: Call, params: Form): string | undefined {
  const header = String(call.headers.authorization ?? '')
  const [scheme = '', value = ''] = header.split(' ')
  if (/^bearer$/i.test(scheme)) return value
  if (/^basic$/i.test(scheme)) return Buffer.from(value, 'base64').toString('utf8').split(':')[0]
  const given = params['key']
  return typeof given === 'string' ? given : undefined
}

const masked = (key: string): string =>
  key.length <= 8 ? '*'.repeat(key.length) : `${key.slice(0, 8)}${'*'.repeat(Math.max(4, key.length - 12))}${key.slice(-4)}`

/** Whether a call comes from a browser; refuses calls that may not use the path. */
export function authorize(world: World, call: Call, params: Form, openToBrowsers: boolean): boolean {
  const key = keyOf(call, params)
  if (key === undefined || key === '') {
    throw unauthorized(
      "You did not provide an API key. You need to provide your API key in the Authorization header, using Bearer auth (e.g. 'Authorization: Bearer YOUR_SECRET_KEY'). See https://stripe.com/docs/api#authentication for details, or we can help at https://support.stripe.com/.",
    )
  }
  if (key === world.secretKey) return false
  if (key !== world.publishableKey) throw unauthorized(`Invalid API Key provided: ${masked(key)}`)
  if (openToBrowsers) return true
  throw unauthorized(
    'This API call cannot be made with a publishable API key. Please use a secret API key. You can find a list of your API keys at https://dashboard.stripe.com/account/apikeys.',
    'secret_key_required',
  )
}
