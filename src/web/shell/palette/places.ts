import { ChartNoAxesCombined, Eye, FileText, Gauge, LifeBuoy, type LucideIcon, MousePointerClick } from 'lucide-react'
import { isScreen } from '../../../contract/screens.ts'
import { metricLabels, type MetricName, metricNames } from '../../lib/metric.ts'
import { paths } from '../../paths.ts'
import { nav } from '../frame/nav.ts'
import type { Entry, EntryGroup } from './entries.ts'

const icons: Record<MetricName, LucideIcon> = {
  clicks: MousePointerClick,
  impressions: Eye,
  ctr: Gauge,
  position: ChartNoAxesCombined,
}

const otherWords: Record<MetricName, string> = {
  clicks: 'metric visits traffic',
  impressions: 'metric views shown',
  ctr: 'metric click-through rate',
  position: 'metric average rank ranking',
}

const pageAnalytics = '/page-analytics'

/** Each metric where it is shown: its card on the dashboard, and the pages sorted by it. */
export const metricsGroup: EntryGroup = {
  value: 'Metrics',
  items: metricNames.flatMap((metric) => [card(metric), ...(isScreen(pageAnalytics) ? [pagesBy(metric)] : [])]),
}

function card(metric: MetricName): Entry {
  return {
    id: `card ${metric}`,
    label: metricLabels[metric],
    words: otherWords[metric],
    icon: icons[metric],
    note: 'Dashboard',
    choose: { to: `${paths.dashboard}#${metric}` },
  }
}

function pagesBy(metric: MetricName): Entry {
  // The best position is the smallest one.
  const order = metric === 'position' ? '&order=asc' : ''
  return {
    id: `pages by ${metric}`,
    label: `Pages by ${metric === 'ctr' ? 'CTR' : metric}`,
    words: otherWords[metric],
    icon: FileText,
    note: 'Page Analytics',
    choose: { to: `${pageAnalytics}?sort=${metric}${order}` },
  }
}

/** Every screen of the navigation, by its group. */
export const screensGroup: EntryGroup = {
  value: 'Go to',
  items: nav.flatMap(({ label: group, items }) =>
    items.map(({ label, path, icon, keys }) => ({
      id: `screen ${path}`,
      label,
      words: `${group} screen go open`,
      icon,
      ...(keys && { keys }),
      choose: { to: path },
    })),
  ),
}

/** Pages outside the app. */
export const helpPage: Entry = {
  id: 'help page',
  label: 'Help Center',
  words: 'help center faq support',
  icon: LifeBuoy,
  choose: { run: () => window.location.assign('/help') },
}
