import { screens } from '../../contract/screens.ts'
import { plans } from '../../core/billing/plans.ts'

export const logIn = screens.login
/** The same screen with the Register tab open. */
export const signUp = `${screens.login}?tab=register`

/** `$9/month`: what the landing asks people to pay. */
export const price = `$${plans.pro.price}/month`

/** What others charge (SPEC §9), in dollars a month. */
export const otherSuites = 99

export const callToAction =
  'inline-flex min-h-12 items-center justify-center rounded-control bg-dawn px-5 text-[1rem] font-semibold text-on-dawn transition-colors duration-150 hover:bg-dawn-strong'

export const sectionTitle = 'text-[1.75rem] leading-9 font-semibold tracking-tight text-balance sm:text-[2rem] sm:leading-10'
