import type { Clock } from '../../platform/clock.ts'
import type { ApiServices } from '../operation.ts'
import { alertStoryTool, listAlertsTool } from './alerts.ts'
import { biggestChangesTool } from './biggest-changes.ts'
import { acknowledgeAlertsTool, addNoteTool, rateAlertTool, snoozeAlertTool } from './changing.ts'
import { competingPagesTool, keywordPagesTool } from './competing-pages.ts'
import { explainDayTool } from './explain-day.ts'
import { listKeywordsTool, opportunitiesTool } from './keywords.ts'
import { listSitesTool } from './list-sites.ts'
import { decayingPagesTool, listPagesTool, pageKeywordsTool } from './pages.ts'
import { sitePerformanceTool } from './site-performance.ts'
import { createStandings } from './standing.ts'
import type { McpTool } from './tool.ts'

/** Every MCP tool, in the order listed. */
export function createTools(services: ApiServices, clock: Clock): readonly McpTool[] {
  const standings = createStandings(services)
  return [
    listSitesTool(services),
    sitePerformanceTool(services, standings),
    biggestChangesTool(services, standings),
    listKeywordsTool(services, standings),
    listPagesTool(services, standings),
    keywordPagesTool(services, standings),
    pageKeywordsTool(services, standings),
    competingPagesTool(services, standings),
    opportunitiesTool(services, standings),
    decayingPagesTool(services, standings),
    listAlertsTool(services, standings),
    alertStoryTool(services),
    explainDayTool(services, standings),
    acknowledgeAlertsTool(services),
    snoozeAlertTool(services, clock),
    rateAlertTool(services),
    addNoteTool(services, standings),
  ]
}
