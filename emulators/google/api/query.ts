import type { Account } from '../accounts.ts'
import { writeAnswer } from '../query/answer.ts'
import { parseQuery } from '../query/parse.ts'
import type { World } from '../world.ts'
import { ApiFailure, forbiddenSite } from './errors.ts'
import { permissionFor } from './sites.ts'

/** searchAnalytics.query: the response as JSON. Unverified users may not query. */
export function querySite(world: World, account: Account, siteUrl: string, body: string): Buffer {
  const permission = permissionFor(account, siteUrl)
  const property = world.property(siteUrl)
  if (permission === 'siteUnverifiedUser' || !property) throw new ApiFailure(forbiddenSite(siteUrl))
  const request = parseQuery(body)
  const view = world.view()
  return writeAnswer(property, request, world.runner.run(property, request, view), view)
}
