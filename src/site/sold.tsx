import { createContext, type ReactNode, useContext } from 'react'
import type { Billing } from '../contract/user.ts'

/** Each page is rendered for installations that sell plans and for those that do not; the server knows which one it is. */
export const BillingContext = createContext<Billing>('stripe')

export const useSelling = (): boolean => useContext(BillingContext) === 'stripe'

/** Words that are true only where plans are sold, and what takes their place elsewhere. */
export function Sold({ children, otherwise = null }: { children: ReactNode; otherwise?: ReactNode }) {
  return useSelling() ? children : otherwise
}
