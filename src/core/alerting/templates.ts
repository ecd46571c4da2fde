import type { AlertTemplate } from '../../contract/alerts/templates.ts'
import { type Condition, defaultOf } from './defaults.ts'

type Template = Omit<AlertTemplate, 'condition' | 'priority'> & { priority: 'critical' | 'warning' | 'info'; condition: Condition }

const all: readonly Template[] = [
  {
    id: 'ranking-change',
    name: 'Ranking change',
    description: 'A top keyword drops three or more positions in a week.',
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
    description: 'A keyword enters the top 10 for the first time.',
    priority: 'info',
    level: 'query',
    type: 'position',
    condition: defaultOf('position', 'new_query'),
  },
  {
    id: 'lost-ranking',
    name: 'Lost ranking',
    description: 'A top keyword drops out of the top 10 or stops ranking.',
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
  {
    id: 'unusual-pages',
    name: 'Unusual pages',
    description: 'Any page gets far fewer clicks than usual.',
    priority: 'warning',
    level: 'page',
    type: 'clicks',
    condition: { ...defaultOf('clicks', 'unusual'), title: 'Unusual pages', direction: 'falls', monitor: 'all_pages' },
  },
  {
    id: 'unusual-queries',
    name: 'Unusual keywords',
    description: 'Any keyword gets far fewer clicks than usual.',
    priority: 'warning',
    level: 'query',
    type: 'clicks',
    condition: { ...defaultOf('clicks', 'unusual'), title: 'Unusual keywords', direction: 'falls', monitor: 'all_queries' },
  },
  {
    id: 'unusual-ctr',
    name: 'Unusual CTR',
    description: 'CTR for a top keyword is low for its position.',
    priority: 'warning',
    level: 'query',
    type: 'ctr',
    condition: defaultOf('ctr', 'unusual'),
  },
  {
    id: 'unusual-position',
    name: 'Unusual positions',
    description: 'A keyword drops in position and loses clicks.',
    priority: 'warning',
    level: 'query',
    type: 'position',
    condition: { ...defaultOf('position', 'unusual'), title: 'Unusual positions' },
  },
]

/**
 * One template for each alert kind of SPEC §1 (OPEN-POINTS 11), and for unusual pages and queries. Like every new rule, one made from a
 * template reports everything beyond its threshold unless "Only when unusual" is chosen.
 */
export const templates: readonly Template[] = all.map((template) => {
  const { condition } = template
  return { ...template, condition: { ...condition, onlyUnusual: condition.kind === 'unusual' } }
})
