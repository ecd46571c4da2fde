import { Article } from '../parts/Article.tsx'
import { alerts } from './alerts.tsx'
import { api } from './api.tsx'
import { notifications } from './notifications.tsx'
import { explore } from './explore.tsx'
import { figures } from './figures.tsx'
import { gettingStarted } from './getting-started.tsx'
import { opportunities } from './opportunities.tsx'
import { plansChapter } from './plans.tsx'
import { reports } from './reports.tsx'
import { moving, selfHosting } from './self-hosting.tsx'
import { shortcuts } from './shortcuts.tsx'
import { today } from './today.tsx'
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
