// `window.Stripe` for pages: elements whose card form is a frame of the stand-in, and the calls that confirm with it.
import { createElements, IntegrationError, internals } from './elements.js'

const origin = new URL(document.currentScript.src).origin

/** `pi_…` or `seti_…` of a client secret, and where its calls go. */
function intentOf(clientSecret) {
  const match = /^((pi|seti)_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(String(clientSecret))
  if (!match) {
    throw new IntegrationError(
      `Invalid value for stripe.confirmPayment(): clientSecret should be a client secret of the form \${id}_secret_\${secret}. You specified: ${clientSecret}.`,
    )
  }
  const setup = match[2] === 'seti'
  return { path: `${setup ? 'setup_intents' : 'payment_intents'}/${match[1]}`, field: setup ? 'setupIntent' : 'paymentIntent' }
}

function Stripe(publishableKey, options = {}) {
  if (typeof publishableKey !== 'string' || publishableKey === '') {
    throw new IntegrationError('Please call Stripe() with your publishable key. You used an empty string.')
  }
  if (publishableKey.startsWith('sk_')) {
    throw new IntegrationError('You should not use your secret key with Stripe.js.\n        Please pass a publishable key instead.')
  }

  async function api(method, path, params) {
    const body = new URLSearchParams(params)
    const url = `${origin}/v1/${path}${method === 'GET' ? `?${body}` : ''}`
    const headers = { authorization: `Bearer ${publishableKey}` }
    try {
      const response = await fetch(url, { method, headers, credentials: 'omit', ...(method === 'POST' ? { body } : {}) })
      return await response.json()
    } catch {
      const message =
        'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again.'
      return { error: { type: 'api_connection_error', message } }
    }
  }

  const retrieve = (clientSecret) => api('GET', intentOf(clientSecret).path, { client_secret: clientSecret })

  /** Shows the bank's challenge, if any, and returns the final result. */
  async function finish(intent, clientSecret) {
    const { field } = intentOf(clientSecret)
    if (intent.error) return { error: intent.error }
    if (intent.status !== 'requires_action') return { [field]: intent }
    await challenge(clientSecret)
    const after = await retrieve(clientSecret)
    if (after.error) return { error: after.error }
    const problem = after.last_payment_error ?? after.last_setup_error
    if (after.status !== 'requires_payment_method' || !problem) return { [field]: after }
    return { error: { ...problem, [after.object]: after } }
  }

  function challenge(clientSecret) {
    return new Promise((resolve) => {
      const dialog = document.createElement('dialog')
      const frame = document.createElement('iframe')
      const parent = encodeURIComponent(location.origin)
      frame.title = 'Authentication by your bank'
      // The secret is in the fragment, which no log contains.
      frame.src = `${origin}/v3/challenge?parent=${parent}#${clientSecret}`
      const cover = { position: 'fixed', inset: '0', width: '100%', height: '100%', maxWidth: 'none', maxHeight: 'none' }
      Object.assign(dialog.style, cover, { margin: '0', padding: '0', border: '0', background: 'rgb(0 0 0 / 55%)', zIndex: '2147483647' })
      Object.assign(frame.style, cover, { border: '0', colorScheme: 'light' })
      const close = () => {
        removeEventListener('message', listen)
        dialog.close()
        dialog.remove()
        resolve()
      }
      const listen = (event) => {
        if (event.origin === origin && event.source === frame.contentWindow && event.data?.type === 'challenge-done') close()
      }
      addEventListener('message', listen)
      dialog.addEventListener('cancel', (event) => {
        // Dismissing the bank's challenge fails it.
        event.preventDefault()
        frame.contentWindow.postMessage({ type: 'challenge-fail' }, origin)
      })
      dialog.append(frame)
      document.body.append(dialog)
      dialog.showModal()
      frame.addEventListener('load', () => frame.focus())
    })
  }

  /** Redirects to the return URL, like Stripe if `redirect` says so; otherwise returns the result here. */
  function leave(result, clientSecret, { redirect = 'always', confirmParams } = {}) {
    if (result.error || redirect === 'if_required') return result
    const { field } = intentOf(clientSecret)
    const name = field === 'setupIntent' ? 'setup_intent' : 'payment_intent'
    const url = new URL(confirmParams.return_url)
    url.searchParams.set(name, result[field].id)
    url.searchParams.set(`${name}_client_secret`, clientSecret)
    url.searchParams.set('redirect_status', 'succeeded')
    location.assign(url.href)
    return new Promise(() => {})
  }

  async function confirm(call, input) {
    const { elements, confirmParams = {}, redirect } = input
    const clientSecret = input.clientSecret ?? internals.get(elements)?.clientSecret
    if (!clientSecret) throw new IntegrationError(`${call}: expected a clientSecret, or elements that were created with one.`)
    if (redirect !== 'if_required' && !confirmParams.return_url) {
      throw new IntegrationError(
        `${call}: the \`confirmParams.return_url\` argument is required unless passing \`redirect: 'if_required'\`.`,
      )
    }
    const { path } = intentOf(clientSecret)
    const params = { client_secret: clientSecret, use_stripe_sdk: 'true' }
    if (confirmParams.return_url) params.return_url = confirmParams.return_url
    if (typeof confirmParams.payment_method === 'string') params.payment_method = confirmParams.payment_method
    else if (elements) {
      internals.get(elements).requireSubmitted(call)
      const made = await internals.get(elements).createPaymentMethod(confirmParams.payment_method_data?.billing_details)
      if (made.error) return { error: made.error }
      params.payment_method = made.paymentMethod.id
      params.expected_payment_method_type = 'card'
    }
    const result = await finish(await api('POST', `${path}/confirm`, params), clientSecret)
    return leave(result, clientSecret, { redirect, confirmParams })
  }

  /** The older calls: an already known payment method, or a pending challenge. */
  async function confirmCard(clientSecret, data) {
    if (data?.payment_method === undefined) return finish(await retrieve(clientSecret), clientSecret)
    if (typeof data.payment_method !== 'string') throw new IntegrationError('The stand-in confirms the id of a payment method only.')
    const params = { client_secret: clientSecret, payment_method: data.payment_method, use_stripe_sdk: 'true' }
    return finish(await api('POST', `${intentOf(clientSecret).path}/confirm`, params), clientSecret)
  }

  async function retrieved(clientSecret) {
    const intent = await retrieve(clientSecret)
    return intent.error ? { error: intent.error } : { [intentOf(clientSecret).field]: intent }
  }

  return {
    _apiKey: publishableKey,
    _locale: options.locale ?? 'auto',
    _registerWrapper: () => {},
    registerAppInfo: () => {},
    elements: (given = {}) => createElements(given, { origin, publishableKey, retrieve }),
    confirmPayment: (input) => confirm('stripe.confirmPayment()', input),
    confirmSetup: (input) => confirm('stripe.confirmSetup()', input),
    confirmCardPayment: confirmCard,
    confirmCardSetup: confirmCard,
    handleNextAction: async ({ clientSecret }) => finish(await retrieve(clientSecret), clientSecret),
    handleCardAction: async (clientSecret) => finish(await retrieve(clientSecret), clientSecret),
    retrievePaymentIntent: retrieved,
    retrieveSetupIntent: retrieved,
    createPaymentMethod: async ({ elements, params = {} }) => {
      if (!elements) throw new IntegrationError('stripe.createPaymentMethod(): the stand-in needs `elements`.')
      internals.get(elements).requireSubmitted('stripe.createPaymentMethod()')
      return internals.get(elements).createPaymentMethod(params.billing_details)
    },
    createToken: async () => {
      throw new IntegrationError('The stand-in has the Payment Element only; tokens belong to the Card Element.')
    },
  }
}

Stripe.version = 'endive'
window.Stripe = Stripe
