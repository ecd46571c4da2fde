import type { AlertTemplate } from '../../contract/alert-templates.ts'
import { type Condition, defaultOf } from './defaults.ts'

type Template = Omit<AlertTemplate, 'condition' | 'priority'> & { priority: 'critical' | 'warning' | 'info'; condition: Condition }

/** One for each alert kind of SPEC §1, ready to be set up (OPEN-POINTS 11). */
export const templates: readonly Template[] = [
  {
    id: 'ranking-change',
    name: 'Ranking change',
    description: 'A top query drops three or more positions in a week.',
    priority: 'warning',
    level: 'query',
    type: 'position',
    condition: { ...defaultOf('position', 'change'), title: 'Ranking change', monitor: 'top_queries' },
  },
  {
    id: 'traffic-spike',
    name: 'Traffic spike',
    description: 'Site-wide clicks rise by 50% or more.',
    priority: 'info',
    level: 'site',
    type: 'clicks',
    condition: { ...defaultOf('clicks', 'change'), title: 'Traffic spike', direction: 'rises', monitor: 'site', threshold: 50 },
  },
  {
    id: 'new-keyword',
    name: 'New keyword',
    description: 'A query enters the top 10 for the first time.',
    priority: 'info',
    level: 'query',
    type: 'position',
    condition: defaultOf('position', 'new_query'),
  },
  {
    id: 'lost-ranking',
    name: 'Lost ranking',
    description: 'A top query drops out of the top 10 or stops ranking.',
    priority: 'critical',
    level: 'query',
    type: 'position',
    condition: defaultOf('position', 'lost_query'),
  },
  {
    id: 'new-ranking-page',
    name: 'New ranking page',
    description: 'A page enters the top 20 for the first time.',
    priority: 'info',
    level: 'page',
    type: 'position',
    condition: defaultOf('position', 'new_page'),
  },
  {
    id: 'impressions-drop',
    name: 'Drop in impressions',
    description: 'Site-wide impressions fall by 25% or more in a week.',
    priority: 'warning',
    level: 'site',
    type: 'impressions',
    condition: {
      ...defaultOf('impressions', 'change'),
      title: 'Drop in impressions',
      direction: 'falls',
      isEnabled: true,
      monitor: 'site',
      threshold: 25,
    },
  },
  {
    id: 'clicks-drop',
    name: 'Drop in clicks',
    description: 'Site-wide clicks fall by 15% or more.',
    priority: 'critical',
    level: 'site',
    type: 'clicks',
    condition: { ...defaultOf('clicks', 'change'), title: 'Drop in clicks', monitor: 'site' },
  },
  {
    id: 'ctr-drop',
    name: 'CTR drop',
    description: 'CTR falls on a top page.',
    priority: 'warning',
    level: 'page',
    type: 'ctr',
    condition: { ...defaultOf('ctr', 'change'), monitor: 'top_pages' },
  },
]
