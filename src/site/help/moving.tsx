import { screens } from '../../contract/screens.ts'
import type { Chapter } from '../parts/Article.tsx'

export const moving: Chapter = {
  id: 'import-export',
  title: 'Import and export',
  content: (
    <>
      <h3>Bringing figures in</h3>
      <p>
        In the property menu choose “Import a file…”. Ranklark takes the ZIP or CSV that Search Console’s own Export button gives (with the
        chart on “Daily” and no comparison), any CSV with a date, clicks, impressions and CTR or position, and the tables of a BigQuery bulk
        export: choose all of their files at once. Either everything is stored or nothing: at the first bad row the import stops and names
        the file and line. A newer file replaces the days it holds. An imported property behaves like any other, but nothing updates it.
      </p>
      <p>
        Files also bring older days into a property that is connected to Google. Where they overlap with Google’s days, Google’s figures
        stay, and the answer says which days were left out.
      </p>
      <h3>Taking figures out</h3>
      <p>
        “Export” on a report downloads CSV of exactly what the filters show, with all rows and not only those on screen. Under{' '}
        <a href={screens.settings}>Settings</a>, “Export my data” gives a ZIP of everything: account, rules, alerts and every stored figure
        of each property.
      </p>
    </>
  ),
}
