import { createContext, useContext } from 'react'

/** Addresses of what a page consists of beside its text: built ones hold a hash of their content. */
export type Assets = { style: string; font: string; picture: (name: string) => string }

export const AssetsContext = createContext<Assets | null>(null)

export function useAssets(): Assets {
  const assets = useContext(AssetsContext)
  if (assets === null) throw new Error('A static page is rendered without its assets')
  return assets
}
