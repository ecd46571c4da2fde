import type { Site } from '../../../contract/portfolio.ts'
import type { OpenSite } from './site-parts.tsx'
import type { AllSites, ShowSites, SitesView } from './sites-view.ts'

/** The input of each list layout. */
export type SitesListProps = {
  /** In order; not all of them until `isWhole`. */
  sites: readonly Site[]
  isWhole: boolean
  all: AllSites | null
  allLabel: string
  /** All existing tags. */
  known: readonly string[]
  now: Date
  view: SitesView
  show: ShowSites
  onOpen: OpenSite
  onChooseTag: (tag: string) => void
}
