import { authenticate } from '../billing/intents.ts'
import { authenticateSetup } from '../billing/setup.ts'
import { json } from '../../lib/http.ts'
import type { Call, Reply } from '../../lib/http.ts'
import type { World } from '../world.ts'

/** The cardholder answered the bank's challenge in the frame. */
export function handleChallenge(world: World, call: Call): Reply {
  const form = new URLSearchParams(call.body)
  const secret = form.get('client_secret') ?? ''
  const passed = form.get('outcome') === 'complete'
  const [id = ''] = secret.split('_secret_')
  const intent = world.store.find('payment_intent', id)
  const setup = world.store.find('setup_intent', id)
  if ((intent ?? setup)?.client_secret !== secret || (intent ?? setup)?.status !== 'requires_action')
    return json(400, { error: 'nothing to answer' })
  if (intent) authenticate(world, intent, passed)
  if (setup) authenticateSetup(world, setup, passed)
  return json(200, {})
}
