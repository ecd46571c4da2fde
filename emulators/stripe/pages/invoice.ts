import { escapeHtml } from '../../lib/http.ts'
import type { Reply } from '../../lib/http.ts'
import { dollars } from '../billing/invoices.ts'
import type { Invoice } from '../objects/types.ts'
import { dayOf, page, table } from './layout.ts'

/** The URL that an invoice gives as its own page. */
export function invoicePage(invoice: Invoice): Reply {
  const amount = (value: number): string => dollars(value, invoice.currency)
  const lines = invoice.lines.data.map((line) => [
    line.description ?? '',
    `${dayOf(line.period.start)} – ${dayOf(line.period.end)}`,
    amount(line.amount),
  ])
  return page(
    `Invoice ${invoice.number ?? invoice.id}`,
    `<main><h1>Invoice ${escapeHtml(invoice.number ?? invoice.id)}</h1>
<p>${escapeHtml(invoice.customer_name ?? invoice.customer_email ?? '')} · ${dayOf(invoice.created)} · ${escapeHtml(invoice.status ?? '')}</p>
<section><h2>Lines</h2>${table(['Description', 'Period', 'Amount'], lines, 'No lines.')}
<p>Total ${amount(invoice.total)} · Paid ${amount(invoice.amount_paid)} · Due ${amount(invoice.amount_remaining)}</p></section></main>`,
  )
}
