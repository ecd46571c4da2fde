import type { ReactNode } from 'react'
import { useCurrentUser } from '../../shell/current-user.ts'
import { PropertyRequired } from '../../shell/PropertyScreen.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { DetailPanel } from '../../widgets/analytics/detail/DetailPanel.tsx'
import { useView } from '../../widgets/analytics/use-view.ts'
import { BrandTab } from './BrandTab.tsx'
import { ClientsTab } from './ClientsTab.tsx'
import { LinksTab } from './LinksTab.tsx'
import { PdfsTab } from './PdfsTab.tsx'
import { type ReportsTab, reportsView, ReportTab } from './ReportTab.tsx'
import { SchedulesTab } from './schedules/SchedulesTab.tsx'

const labels: Record<ReportsTab, string> = {
  report: 'Report',
  schedules: 'Schedules',
  clients: 'Clients',
  brand: 'Brand',
  links: 'Links',
  pdfs: 'PDFs',
}

export function ReportsPage() {
  const { selectedProperty } = useCurrentUser()
  const [view, show] = useView(reportsView)
  const contents: Record<ReportsTab, ReactNode> = {
    report:
      selectedProperty === null ? (
        <PropertyRequired>Select a property to see its weekly and monthly reports.</PropertyRequired>
      ) : (
        <ReportTab property={selectedProperty} view={view} show={show} />
      ),
    schedules: <SchedulesTab />,
    clients: <ClientsTab />,
    brand: <BrandTab />,
    links: <LinksTab />,
    pdfs: <PdfsTab />,
  }
  return (
    <>
      <title>Reports · Ranklark</title>
      <div className="mb-3 min-w-0 print:hidden">
        <h1 className="text-title font-semibold">Reports</h1>
        <p className="text-muted">Weekly and monthly reports on screen, as PDFs or by email.</p>
      </div>
      <Tabs
        label="Reports"
        tabs={reportsView.tab.map((value) => ({ value, label: labels[value], content: contents[value] }))}
        value={view.tab}
        onChange={(chosen) => show({ tab: reportsView.tab.find((each) => each === chosen) ?? view.tab })}
      />
      {selectedProperty !== null && <DetailPanel property={selectedProperty} />}
    </>
  )
}
