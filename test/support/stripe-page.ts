import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { build, type Rolldown } from 'vite'

/** A shop's page: the official React bindings around the Payment Element, and buttons for a shop's calls to Stripe. */
const SOURCE = `
import { createElement as h, useState } from 'react'
import { createRoot } from 'react-dom/client'
import { loadStripe } from '@stripe/stripe-js'
import { Elements, PaymentElement, useElements, useStripe } from '@stripe/react-stripe-js'

const config = JSON.parse(document.getElementById('config').textContent)
const show = (value) => { document.getElementById('result').textContent = JSON.stringify(value) }
const events = []
window.events = events

function Checkout({ setUp }) {
  const stripe = useStripe()
  const elements = useElements()
  const [ready, setReady] = useState(false)
  const pay = async (event) => {
    event.preventDefault()
    show('…')
    const confirm = setUp ? stripe.confirmSetup : stripe.confirmPayment
    const { redirect, clientSecret, deferred } = config
    if (deferred) {
      const { error } = await elements.submit()
      if (error) return show({ error })
    }
    show(await confirm({ elements, ...(deferred ? { clientSecret } : {}), confirmParams: { return_url: location.origin + '/back' }, redirect }))
  }
  return h('form', { onSubmit: pay },
    h(PaymentElement, {
      onReady: () => { events.push('ready'); setReady(true) },
      onChange: (event) => { events.push('change'); document.getElementById('complete').textContent = String(event.complete) },
      onFocus: () => events.push('focus'),
      onBlur: () => events.push('blur'),
      onLoadError: (event) => { events.push('loaderror'); show(event.error) },
    }),
    h('button', { disabled: !stripe || !ready }, 'Pay'))
}

function Page() {
  const [shown, setShown] = useState(true)
  const options = config.deferred
    ? { mode: 'subscription', amount: 900, currency: 'usd', appearance: config.appearance }
    : { clientSecret: config.clientSecret, appearance: config.appearance }
  return h('div', null,
    h('h1', null, 'Shop'),
    shown && h(Elements, { stripe: window.loading, options }, h(Checkout, { setUp: config.setUp })),
    h('button', { type: 'button', onClick: () => setShown(!shown) }, 'Toggle'),
    h('button', { type: 'button', onClick: async () => show(await (await window.loading).handleNextAction({ clientSecret: config.clientSecret })) }, 'Next action'),
    h('button', { type: 'button', onClick: async () => show(await (await window.loading).retrievePaymentIntent(config.clientSecret)) }, 'Retrieve'))
}

window.loading = loadStripe(config.publishableKey)
createRoot(document.getElementById('root')).render(h(Page))
`

let bundled: Promise<string> | undefined

/** Built once for all files of a worker. */
const bundle = (): Promise<string> => (bundled ??= makeBundle())

async function makeBundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [
      {
        name: 'page-source',
        resolveId: (id) => (id === 'virtual:page' ? id : null),
        load: (id) => (id === 'virtual:page' ? SOURCE : null),
      },
    ],
    build: { write: false, minify: false, rolldownOptions: { input: 'virtual:page' } },
  })
  const outputs = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[]
  const chunk = outputs.flatMap(({ output }) => output).find((each) => each.type === 'chunk')
  if (!chunk) throw new Error('the page was not built')
  return chunk.code
}

export interface PageConfig {
  readonly publishableKey: string
  readonly clientSecret: string
  readonly appearance?: object
  readonly redirect?: 'if_required' | 'always'
  readonly deferred?: boolean
  readonly setUp?: boolean
}

/** Serves the page under a content security policy like the product's, with the stand-in's script on it. */
export async function serveStripePage(standIn: string): Promise<{ url: string; show(config: PageConfig): void; close(): Promise<void> }> {
  const code = await bundle()
  let config: PageConfig = { publishableKey: '', clientSecret: '' }
  const policy = `default-src 'self'; script-src 'self' ${standIn}; style-src 'self'; frame-src ${standIn}; connect-src 'self' ${standIn}`
  const server = createServer((request, response) => {
    if (request.url === '/page.js') {
      response.writeHead(200, { 'content-type': 'text/javascript' }).end(code)
      return
    }
    if (request.url === '/favicon.ico') {
      response.writeHead(204).end()
      return
    }
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy }).end(
      request.url?.startsWith('/back')
        ? '<!doctype html><html lang="en"><title>Back</title><main><h1>Thank you</h1></main></html>'
        : `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title><script src="${standIn}/v3/stripe.js"></script></head><body>
<main><div id="root"></div><p id="complete">false</p><output id="result"></output></main>
<script type="application/json" id="config">${JSON.stringify(config)}</script><script type="module" src="/page.js"></script></body></html>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (next) => {
      config = next
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
