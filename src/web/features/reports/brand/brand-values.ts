import type { ReportBrand } from '../../../../contract/publishing.ts'

/** What can be typed about a brand. */
export type TypedBrand = { name: string; colour: string; senderName: string; replyTo: string }

/** The product's own blue, to begin with. */
const firstColour = '#2457c5'

export const typedOf = (brand: ReportBrand['brand']): TypedBrand => ({
  name: brand?.name ?? '',
  colour: brand?.colour ?? firstColour,
  senderName: brand?.senderName ?? '',
  replyTo: brand?.replyTo ?? '',
})

/** As the contract takes it: who leaves the address empty wants no other one. */
export const changeOf = ({ replyTo, ...typed }: TypedBrand) => ({ ...typed, replyTo: replyTo.trim() === '' ? null : replyTo.trim() })

/** While a colour is being typed, the one before stays. */
export const isColour = (text: string): boolean => /^#[0-9a-f]{6}$/i.test(text)
