import { Article } from '../parts/Article.tsx'
import { alerts, notifications } from './alerts.tsx'
import { api } from './api.tsx'
import { explore, figures, opportunities, today } from './figures.tsx'
import { gettingStarted, plansChapter } from './getting-started.tsx'
import { reports } from './reports.tsx'
import { moving, selfHosting } from './self-hosting.tsx'
import { shortcuts } from './shortcuts.tsx'
import { support, troubleshooting } from './troubleshooting.tsx'

const chapters = [
  gettingStarted,
  alerts,
  today,
  figures,
  explore,
  opportunities,
  notifications,
  reports,
  api,
  shortcuts,
  moving,
  plansChapter,
  troubleshooting,
  support,
  selfHosting,
]

export function HelpPage() {
  return (
    <Article
      title="Help Center"
      description="How to connect Search Console, how alerts work, what the metrics mean, how to use reports and the API, and how to fix common problems."
      intro={<p>Set up Ranklark, understand its alerts, metrics and reports, and fix common problems.</p>}
      chapters={chapters}
    />
  )
}
