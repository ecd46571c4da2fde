import { escapeHtml } from '../../lib/http.ts'
import type { Reply } from '../../lib/http.ts'
import { dollars } from '../billing/invoices.ts'
import type { World } from '../world.ts'
import { dayOf, page, table } from './layout.ts'

const LATEST = 50

/** Everything there is: customers, subscriptions, and the events sent. */
export function overviewPage(world: World): Reply {
  const { store, deliveries } = world
  const customers = store.all('customer').filter(({ id }) => !store.secrets.deleted.includes(id))
  const subscriptions = store.all('subscription').toReversed()
  const rows = {
    customers: customers.toReversed().map((customer) => [customer.id, customer.email ?? '', customer.name ?? '', dayOf(customer.created)]),
    subscriptions: subscriptions.map((each) => {
      const [item] = each.items.data
      const price = item ? `${item.price.lookup_key ?? item.price.id} (${dollars(item.price.unit_amount ?? 0, each.currency)})` : ''
      return [
        each.id,
        store.find('customer', each.customer)?.email ?? each.customer,
        each.status,
        price,
        item ? dayOf(item.current_period_end) : '',
      ]
    }),
    deliveries: deliveries
      .list()
      .slice(-LATEST)
      .toReversed()
      .map((each) => [each.event, each.type, each.state, each.attempts.map(({ status, answer }) => status ?? answer).join(', ')]),
  }
  const endpoints = store.all('webhook_endpoint').map(({ url }) => `<code>${escapeHtml(url)}</code>`)
  return page(
    'Stripe (local stand-in)',
    `<main class="wide"><h1>Stripe (local stand-in)</h1>
<p>No real money is involved, and nothing leaves this machine. The clock says ${escapeHtml(new Date(world.clock.now()).toUTCString())}${world.clock.frozen ? ' and is stopped' : ''}.</p>
<section><h2>Customers</h2>${table(['Customer', 'Email', 'Name', 'Since'], rows.customers, 'No customers yet.')}</section>
<section><h2>Subscriptions</h2>${table(['Subscription', 'Customer', 'Status', 'Price', 'Period ends'], rows.subscriptions, 'No subscriptions yet.')}</section>
<section><h2>Webhook deliveries</h2><p>To ${endpoints.join(', ') || 'nobody: no endpoint is set'}${deliveries.holding ? '; on hold' : ''}.</p>
${table(['Event', 'Type', 'State', 'Responses'], rows.deliveries, 'Nothing has been delivered yet.')}</section></main>`,
  )
}
