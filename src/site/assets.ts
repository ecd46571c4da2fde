import { createContext, useContext } from 'react'

/** URLs of a page's assets; in a build they contain a hash of their content. */
export type Assets = { style: string; font: string; picture: (name: string) => string }

export const AssetsContext = createContext<Assets | null>(null)

export function useAssets(): Assets {
  const assets = useContext(AssetsContext)
  if (assets === null) throw new Error('A static page is rendered without its assets')
  return assets
}
