import type { Reply } from '../../lib/http.ts'
import { page } from './layout.ts'

const COUNTRIES: Readonly<Record<string, string>> = {
  AU: 'Australia',
  AT: 'Austria',
  BE: 'Belgium',
  BR: 'Brazil',
  CA: 'Canada',
  DK: 'Denmark',
  FI: 'Finland',
  FR: 'France',
  DE: 'Germany',
  IN: 'India',
  IE: 'Ireland',
  IT: 'Italy',
  JP: 'Japan',
  NL: 'Netherlands',
  NZ: 'New Zealand',
  NO: 'Norway',
  PL: 'Poland',
  PT: 'Portugal',
  ES: 'Spain',
  SE: 'Sweden',
  CH: 'Switzerland',
  GB: 'United Kingdom',
  US: 'United States',
}

function field(name: string, label: string, placeholder: string, autocomplete: string, wide: boolean): string {
  return `<div${wide ? ' class="wide"' : ''}><label for="${name}">${label}</label>
<input id="${name}" inputmode="numeric" autocomplete="${autocomplete}" placeholder="${placeholder}" aria-describedby="${name}-error" aria-invalid="false">
<p id="${name}-error" role="alert"></p></div>`
}

/**
 * The card form that a page embeds. Landmarks and the top heading are the page's own. Like Stripe's, it appears once its script has loaded:
 * nobody can type into a form that isn't listening yet.
 */
export function paymentElementPage(): Reply {
  const options = Object.entries(COUNTRIES).map(
    ([code, name]) => `<option value="${code}"${code === 'US' ? ' selected' : ''}>${name}</option>`,
  )
  return page(
    'Secure payment input frame',
    `<template><form novalidate>
${field('number', 'Card number', '1234 1234 1234 1234', 'cc-number', true)}
${field('expiry', 'Expiration date', 'MM / YY', 'cc-exp', false)}
${field('cvc', 'Security code', 'CVC', 'cc-csc', false)}
<div class="wide"><label for="country">Country</label><select id="country" autocomplete="billing country">${options.join('')}</select></div>
</form></template>`,
    { style: 'payment-element.css', script: 'payment-element.js' },
  )
}

/** The bank's challenge, in place of a real bank's. */
export function challengePage(): Reply {
  return page(
    '3D Secure 2 Test Page',
    `<template><main><h1>3D Secure 2 Test Page</h1>
<p>Your bank wants to confirm it's you. This is a local stand-in; no bank is contacted.</p>
<button type="button" class="primary" value="complete">Complete authentication</button><button type="button" value="fail">Fail authentication</button>
<p id="problem" class="problem" role="alert"></p></main></template>`,
    { script: 'challenge.js', bodyClass: 'challenge' },
  )
}
