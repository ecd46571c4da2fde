import type { Site } from '../../../contract/portfolio.ts'
import type { OpenSite } from './site-parts.tsx'
import type { AllSites, ShowSites, SitesView } from './sites-view.ts'

/** What each look of the list shows. */
export type SitesListProps = {
  /** In their order; not all of them where it is not `isWhole` yet. */
  sites: readonly Site[]
  isWhole: boolean
  all: AllSites | null
  allLabel: string
  /** All tags there are. */
  known: readonly string[]
  now: Date
  view: SitesView
  show: ShowSites
  onOpen: OpenSite
  onChooseTag: (tag: string) => void
}
