import { Fragment } from 'react'
import type { Chapter } from '../parts/Article.tsx'
import { shortcutRows, type Way } from './keys.ts'

export const shortcuts: Chapter = {
  id: 'shortcuts',
  title: 'Keyboard shortcuts',
  content: (
    <>
      <p>Single-key shortcuts work whenever you’re not typing in a field. You can reach everything on screen with Tab.</p>
      <table className="mt-4 w-full max-w-[36rem] text-left">
        <thead className="sr-only">
          <tr>
            <th scope="col">Keys</th>
            <th scope="col">Action</th>
          </tr>
        </thead>
        <tbody>
          {shortcutRows.map(({ does, ways }) => (
            <tr key={does} className="border-b border-line align-top first:border-t">
              <td className="py-2 pr-4">
                {ways.map((way, index) => (
                  <Fragment key={way.keys.join(' ')}>
                    {index > 0 && ' or '}
                    <Keys {...way} />
                  </Fragment>
                ))}
              </td>
              <td className="py-2">{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  ),
}

function Keys({ keys, together = false }: Omit<Way, 'together'> & { together?: boolean }) {
  return (
    <span className="whitespace-nowrap">
      {keys.map((key, index) => (
        <Fragment key={key}>
          {index > 0 && (together ? ' + ' : ' then ')}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </span>
  )
}
