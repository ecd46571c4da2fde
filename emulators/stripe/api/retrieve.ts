import { z } from 'zod'
import type { Kind } from '../objects/types.ts'
import { expand, parseParams } from '../wire/params.ts'
import type { Route } from './context.ts'

const params = z.strictObject({ expand })

/** The basic call that returns one object. */
export function retrieveOnly(kind: Kind, path: string): Route {
  return {
    method: 'GET',
    path,
    run: ({ world, params: form }, id) => {
      parseParams(params, form)
      return world.store.get(kind, id)
    },
  }
}
