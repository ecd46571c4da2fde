// The elements of a page: each a frame of the stand-in, controlled by messages. The card number never leaves the frame.
export class IntegrationError extends Error {
  name = 'IntegrationError'
}

/** What the confirming calls need from a group of elements, but pages mustn't use. */
export const internals = new WeakMap()

const loadError = (error) => ({ type: 'invalid_request_error', ...error })

class PaymentElement {
  #options
  #group
  #frame = null
  #container = null
  #handlers = new Map()
  #answers = new Map()
  #nextAnswer = 0
  #ready = null
  #listen = (event) => {
    if (event.origin === this.#group.origin && event.source === this.#frame?.contentWindow) this.#receive(event.data)
  }

  constructor(options, group) {
    this.#options = options
    this.#group = group
  }

  mount(target) {
    const node = typeof target === 'string' ? document.querySelector(target) : target
    if (!node) {
      throw new IntegrationError(
        `The selector you specified (${target}) applies to no DOM elements that are currently on the page. Make sure the element exists on the page before calling mount().`,
      )
    }
    if (this.#container === node) return
    if (this.#container)
      throw new IntegrationError('This Element is already mounted. Use `unmount()` to unmount the Element before re-mounting.')
    const frame = document.createElement('iframe')
    frame.title = 'Secure payment input frame'
    frame.src = `${this.#group.origin}/v3/payment-element?parent=${encodeURIComponent(location.origin)}`
    Object.assign(frame.style, { display: 'block', width: '100%', height: '0', border: '0', margin: '0', overflow: 'hidden' })
    this.#container = node
    this.#frame = frame
    addEventListener('message', this.#listen)
    node.classList.add('StripeElement')
    node.replaceChildren(frame)
    this.#emit('loaderstart', {})
    this.#ready = this.#load(frame)
  }

  /** Ready once the form is there and its intent is known to be valid. */
  async #load(frame) {
    const intent = this.#group.checkIntent()
    await new Promise((resolve) => {
      // A frame that is moved within its page reloads.
      frame.addEventListener('load', () => {
        this.#send({ type: 'init', publishableKey: this.#group.publishableKey })
        this.#sendOptions()
        this.applyAppearance()
        resolve()
      })
    })
    const { error } = await intent
    if (this.#frame !== frame) return
    if (error) this.#emit('loaderror', { error: loadError(error) })
    else this.#emit('ready', {})
  }

  applyAppearance() {
    if (!this.#frame) return
    const { appearance = {} } = this.#group
    this.#frame.style.colorScheme = appearance.theme === 'night' ? 'dark' : 'light'
    this.#send({ type: 'appearance', appearance: { theme: appearance.theme ?? 'stripe', variables: { ...appearance.variables } } })
  }

  /** Only what the form uses: options may contain values that messages can't carry. */
  #sendOptions() {
    this.#send({ type: 'options', readOnly: this.#options.readOnly === true })
  }

  #send(message) {
    this.#frame?.contentWindow?.postMessage(message, this.#group.origin)
  }

  /** Sends the frame a request. */
  async ask(type, details = {}) {
    if (!this.#frame)
      throw new IntegrationError(
        'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
      )
    await this.#ready
    const id = this.#nextAnswer++
    return new Promise((resolve) => {
      this.#answers.set(id, resolve)
      this.#send({ type, id, ...details })
    })
  }

  #receive(message) {
    switch (message?.type) {
      case 'height':
        this.#frame.style.height = `${Math.ceil(Number(message.height))}px`
        return
      case 'answer':
        this.#answers.get(message.id)?.(message.result)
        this.#answers.delete(message.id)
        return
      case 'change':
        this.#mark('StripeElement--complete', message.complete)
        this.#mark('StripeElement--empty', message.empty)
        this.#emit('change', { empty: message.empty, complete: message.complete, collapsed: false, value: { type: 'card' } })
        return
      case 'focus':
      case 'blur':
      case 'escape':
        this.#mark('StripeElement--focus', message.type === 'focus')
        this.#emit(message.type, {})
    }
  }

  #mark(name, on) {
    this.#container?.classList.toggle(name, on)
  }

  #emit(type, details) {
    for (const handler of this.#handlers.get(type) ?? []) handler({ elementType: 'payment', ...details })
  }

  on(type, handler) {
    if (typeof handler !== 'function') throw new IntegrationError('The second argument of `element.on` has to be a function.')
    this.#handlers.set(type, [...(this.#handlers.get(type) ?? []), handler])
    return this
  }

  once(type, handler) {
    const first = (event) => {
      this.off(type, first)
      handler(event)
    }
    return this.on(type, first)
  }

  off(type, handler) {
    const left = (this.#handlers.get(type) ?? []).filter((each) => handler !== undefined && each !== handler)
    this.#handlers.set(type, left)
    return this
  }

  addEventListener(type, handler) {
    return this.on(type, handler)
  }

  removeEventListener(type, handler) {
    return this.off(type, handler)
  }

  update(options) {
    this.#options = { ...this.#options, ...options }
    this.#sendOptions()
    return this
  }

  focus() {
    this.#frame?.focus()
    this.#send({ type: 'focus' })
  }

  blur() {
    this.#send({ type: 'blur' })
  }

  clear() {
    this.#send({ type: 'clear' })
  }

  collapse() {
    return this
  }

  unmount() {
    removeEventListener('message', this.#listen)
    this.#frame?.remove()
    this.#container?.classList.remove('StripeElement', 'StripeElement--focus', 'StripeElement--empty', 'StripeElement--complete')
    this.#frame = null
    this.#container = null
    this.#answers.clear()
  }

  destroy() {
    this.unmount()
    this.#handlers.clear()
    this.#group.forget(this)
  }
}

/** @param shop the caller: `origin` of the stand-in, `publishableKey`, and `retrieve` for an intent */
export function createElements(given, { origin, publishableKey, retrieve }) {
  const { clientSecret, mode } = given
  if (clientSecret !== undefined && mode !== undefined) {
    throw new IntegrationError('Invalid value for elements(): `clientSecret` and `mode` cannot be used together.')
  }
  if (clientSecret !== undefined && !/^(pi|seti)_[A-Za-z0-9]+_secret_[A-Za-z0-9]+$/.test(String(clientSecret))) {
    throw new IntegrationError(
      `Invalid value for elements(): clientSecret should be a client secret of the form \${id}_secret_\${secret}. You specified: ${clientSecret}.`,
    )
  }
  let element = null
  let submitted = clientSecret !== undefined
  const group = {
    origin,
    publishableKey,
    appearance: given.appearance,
    checkIntent: async () => (clientSecret === undefined ? {} : retrieve(clientSecret)),
    forget: (gone) => {
      if (element === gone) element = null
    },
  }
  const payment = () => {
    if (!element) throw new IntegrationError('Invalid value for elements: it should have a mounted Payment Element.')
    return element
  }
  const elements = {
    create: (type, options = {}) => {
      if (type !== 'payment') throw new IntegrationError(`The stand-in has the Payment Element only, not: ${type}.`)
      if (clientSecret === undefined && mode === undefined) {
        throw new IntegrationError(
          'In order to create a payment element, you must pass a clientSecret or mode when creating the Elements group.',
        )
      }
      if (element) throw new IntegrationError('Can only create one Element of type payment through the same Elements instance.')
      element = new PaymentElement(options, group)
      return element
    },
    // The React bindings identify an element by its component.
    getElement: (type) => ((typeof type === 'function' ? type['__elementType'] : type) === 'payment' ? element : null),
    submit: async () => {
      const { error } = await payment().ask('validate')
      if (error) return { error }
      submitted = true
      return { selectedPaymentMethod: 'card' }
    },
    update: (options) => {
      if (options.appearance) {
        group.appearance = options.appearance
        element?.applyAppearance()
      }
    },
    fetchUpdates: async () => {
      const { error } = await group.checkIntent()
      return error ? { error, status: 'error' } : { status: 'success' }
    },
    on: () => {},
    once: () => {},
    off: () => {},
  }
  internals.set(elements, {
    clientSecret,
    requireSubmitted: (call) => {
      if (!submitted) {
        throw new IntegrationError(
          `Your code must call elements.submit() before ${call}. See https://stripe.com/docs/payments/accept-a-payment-deferred for details.`,
        )
      }
    },
    createPaymentMethod: (billing) => payment().ask('createPaymentMethod', { billing: { ...billing } }),
  })
  return elements
}
