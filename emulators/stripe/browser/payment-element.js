// The card form inside its frame. The surrounding page learns whether the form is complete, and the id of the card created from it.
import { formatCvc, formatExpiry, formatNumber, problemOf, readCard } from './card-fields.js'

const parentOrigin = new URLSearchParams(location.search).get('parent') ?? ''
const template = document.querySelector('template')
const form = template.content.querySelector('form')
const fields = { number: form.querySelector('#number'), expiry: form.querySelector('#expiry'), cvc: form.querySelector('#cvc') }
const formats = { number: formatNumber, expiry: formatExpiry, cvc: formatCvc }
const country = form.querySelector('#country')
const touched = new Set()
let publishableKey = ''

const send = (message) => parent.postMessage(message, parentOrigin)

const values = () => ({ number: fields.number.value, expiry: fields.expiry.value, cvc: fields.cvc.value })

function problems() {
  return Object.keys(fields).map((name) => ({ name, problem: problemOf(name, values(), new Date()) }))
}

/** Shows errors of the fields that have been left. */
function showProblems() {
  for (const { name, problem } of problems()) {
    const text = touched.has(name) && problem ? problem.message : ''
    const place = form.querySelector(`#${name}-error`)
    if (place.textContent !== text) place.textContent = text
    fields[name].setAttribute('aria-invalid', String(text !== ''))
  }
}

function sendChange() {
  send({
    type: 'change',
    empty: Object.values(values()).every((value) => value === ''),
    complete: problems().every(({ problem }) => !problem),
  })
}

/** Formats while typing, with the caret kept behind the same digit. */
function reformat(input, format) {
  const before = (input.value.slice(0, input.selectionStart ?? input.value.length).match(/\d/g) ?? []).length
  const atEnd = input.selectionStart === input.value.length
  const next = format(input.value)
  if (next === input.value) return
  input.value = next
  let position = 0
  for (let seen = 0; seen < before && position < next.length; position++) if (/\d/.test(next[position])) seen += 1
  if (!atEnd) input.setSelectionRange(position, position)
}

for (const [name, input] of Object.entries(fields)) {
  input.addEventListener('input', () => {
    reformat(input, formats[name])
    // An error disappears as soon as it is fixed; a new one waits until the field is left.
    showProblems()
    sendChange()
  })
  input.addEventListener('blur', () => {
    if (input.value !== '') touched.add(name)
    showProblems()
  })
}
form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('focusin', () => send({ type: 'focus' }))
form.addEventListener('focusout', (event) => {
  if (!form.contains(event.relatedTarget)) send({ type: 'blur' })
})
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') send({ type: 'escape' })
})

function validate() {
  for (const name of Object.keys(fields)) touched.add(name)
  showProblems()
  const wrong = problems().find(({ problem }) => problem)
  if (!wrong) return {}
  fields[wrong.name].focus()
  return { error: wrong.problem }
}

async function createPaymentMethod(billing) {
  const { error } = validate()
  if (error) return { error }
  const card = readCard(values())
  const body = new URLSearchParams({ type: 'card', 'billing_details[address][country]': country.value })
  for (const [name, value] of Object.entries(card)) body.set(`card[${name}]`, value)
  for (const name of ['name', 'email', 'phone']) if (billing[name]) body.set(`billing_details[${name}]`, billing[name])
  try {
    const response = await fetch('/v1/payment_methods', { method: 'POST', headers: { authorization: `Bearer ${publishableKey}` }, body })
    const answer = await response.json()
    return answer.error ? { error: answer.error } : { paymentMethod: answer }
  } catch {
    return {
      error: {
        type: 'api_connection_error',
        message:
          'We are experiencing issues connecting to our payments provider. You have not been charged. Please check your internet connection and try again.',
      },
    }
  }
}

const VARIABLES = [
  'colorPrimary',
  'colorBackground',
  'colorText',
  'colorTextSecondary',
  'colorTextPlaceholder',
  'colorDanger',
  'fontFamily',
  'fontSizeBase',
  'borderRadius',
  'spacingUnit',
]

function applyAppearance({ theme, variables }) {
  const root = document.documentElement
  root.dataset.theme = theme
  for (const name of VARIABLES) {
    if (typeof variables[name] === 'string') root.style.setProperty(`--${name}`, variables[name])
    else root.style.removeProperty(`--${name}`)
  }
}

async function receive(message) {
  switch (message?.type) {
    case 'init':
      publishableKey = message.publishableKey
      return
    case 'appearance':
      applyAppearance(message.appearance)
      return
    case 'options':
      for (const input of Object.values(fields)) input.readOnly = message.readOnly === true
      return
    case 'focus':
      fields.number.focus()
      return
    case 'blur':
      document.activeElement?.blur()
      return
    case 'clear':
      for (const input of Object.values(fields)) input.value = ''
      touched.clear()
      showProblems()
      sendChange()
      return
    case 'validate':
      send({ type: 'answer', id: message.id, result: validate() })
      return
    case 'createPaymentMethod':
      send({ type: 'answer', id: message.id, result: await createPaymentMethod(message.billing) })
  }
}

addEventListener('message', (event) => {
  if (event.source === parent && event.origin === parentOrigin) void receive(event.data)
})
template.replaceWith(form)
new ResizeObserver(() => send({ type: 'height', height: form.getBoundingClientRect().height })).observe(form)
