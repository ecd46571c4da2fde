import type { Call, Reply } from '../../lib/http.ts'
import { catchUp } from '../billing/cycle.ts'
import type { World } from '../world.ts'
import { assetReply } from './assets.ts'
import { handleChallenge } from './challenge.ts'
import { challengePage, paymentElementPage } from './frames.ts'
import { invoicePage } from './invoice.ts'
import { page } from './layout.ts'
import { overviewPage } from './overview.ts'
import { handlePortal } from './portal-actions.ts'

/** Answers all browser requests outside the API. */
export function handlePages(world: World, call: Call): Reply {
  const path = call.url.pathname
  catchUp(world)
  if (path.startsWith('/p/session/')) return handlePortal(world, call)
  if (call.method === 'POST' && path === '/v3/challenge') return handleChallenge(world, call)
  if (path === '/') return overviewPage(world)
  if (path === '/v3/payment-element') return paymentElementPage()
  if (path === '/v3/challenge') return challengePage()
  const asset = path.startsWith('/v3/') ? assetReply(path.slice('/v3/'.length)) : undefined
  if (asset) return asset
  const invoice = path.startsWith('/i/') ? world.store.find('invoice', path.slice('/i/'.length)) : undefined
  return invoice ? invoicePage(invoice) : page('Not found', '<main><h1>Not found</h1></main>', { status: 404 })
}
