import { buildSetupIntent } from '../objects/intents.ts'
import type { PaymentMethod, SetupIntent } from '../objects/types.ts'
import { invalid } from '../wire/errors.ts'
import type { World } from '../world.ts'
import type { CardProblem } from './cards.ts'
import { AUTHENTICATION_FAILED, challengeOf } from './intents.ts'
import type { Attempt } from './intents.ts'
import { attach, behaviorOfMethod, markAuthenticated, needsAuthentication } from './methods.ts'

export function createSetup(world: World, fields: Partial<SetupIntent>): SetupIntent {
  return world.create('setup_intent', buildSetupIntent(world.clock.seconds(), fields))
}

/** Tries to set a card up for later payments. */
export function confirmSetup(world: World, setup: SetupIntent, method: PaymentMethod): Attempt {
  if (setup.status === 'succeeded' || setup.status === 'canceled') {
    throw invalid(
      setup.status === 'succeeded'
        ? 'You cannot confirm this SetupIntent because it has already succeeded.'
        : 'You cannot confirm this SetupIntent because it has a status of canceled.',
      { code: 'setup_intent_unexpected_state', setup_intent: structuredClone(setup) },
    )
  }
  const refused = behaviorOfMethod(world, method).setup
  if (refused) return failed(world, setup, method, refused)
  if (!needsAuthentication(world, method)) return succeeded(world, setup, method)
  world.change(setup, null, (changed) => {
    changed.status = 'requires_action'
    changed.payment_method = method.id
    changed.last_setup_error = null
    changed.next_action = challengeOf(world, setup.id)
  })
  world.emit('setup_intent.requires_action', setup)
  return { status: 'requires_action', problem: null }
}

/** Ends a 3-D Secure challenge. */
export function authenticateSetup(world: World, setup: SetupIntent, passed: boolean): void {
  if (setup.status !== 'requires_action' || setup.payment_method === null) return
  const method = world.store.get('payment_method', setup.payment_method)
  if (passed) {
    markAuthenticated(world, method)
    succeeded(world, setup, method)
  } else failed(world, setup, method, { code: 'setup_intent_authentication_failure', message: AUTHENTICATION_FAILED })
}

function succeeded(world: World, setup: SetupIntent, method: PaymentMethod): Attempt {
  if (setup.customer !== null) attach(world, method, setup.customer)
  world.change(setup, null, (changed) => {
    changed.status = 'succeeded'
    changed.payment_method = method.id
    changed.next_action = null
    changed.last_setup_error = null
  })
  world.emit('setup_intent.succeeded', setup)
  return { status: 'succeeded', problem: null }
}

function failed(world: World, setup: SetupIntent, method: PaymentMethod, problem: CardProblem): Attempt {
  world.change(setup, null, (changed) => {
    changed.status = 'requires_payment_method'
    changed.payment_method = null
    changed.next_action = null
    changed.last_setup_error = {
      code: problem.code,
      ...(problem.decline_code ? { decline_code: problem.decline_code } : {}),
      message: problem.message,
      payment_method: structuredClone(method),
      type: problem.code === 'setup_intent_authentication_failure' ? 'invalid_request_error' : 'card_error',
    }
  })
  world.emit('setup_intent.setup_failed', setup)
  return { status: 'failed', problem }
}
