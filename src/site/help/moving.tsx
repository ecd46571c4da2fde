import { screens } from '../../contract/screens.ts'
import type { Chapter } from '../parts/Article.tsx'

export const moving: Chapter = {
  id: 'import-export',
  title: 'Import and export',
  content: (
    <>
      <h3>Import data</h3>
      <p>
        In the property menu, choose “Import a file…”. You can import the ZIP or CSV from Search Console’s Export button (set the chart to
        “Daily” and turn off comparison), any CSV with a date, clicks, impressions and CTR or position, or the tables of a BigQuery bulk
        export (select all of their files at once). An import is all or nothing: at the first invalid row, it stops and tells you the file
        and line. Importing a newer file replaces the days it contains. An imported property works like any other but doesn’t update
        automatically.
      </p>
      <p>
        You can also import older days into a property that’s connected to Google. If days overlap, Google’s data is kept, and the result
        lists the days that were skipped.
      </p>
      <h3>Export data</h3>
      <p>
        “Export” downloads a CSV of exactly what your filters match, including rows that aren’t on screen. Under{' '}
        <a href={screens.settings}>Settings</a>, “Export my data” creates a ZIP of everything: your account, rules, alerts and all stored
        data for each property.
      </p>
    </>
  ),
}
