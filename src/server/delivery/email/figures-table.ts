import { createElement as h, type ReactElement, type ReactNode } from 'react'
import { styles } from './look.ts'

type Row = { name: ReactNode; figures: readonly string[] }

/**
 * Figures to the right of what they are of. Its cells carry next to nothing, since a digest has hundreds: the rest is in the
 * style sheet, without which it is a plain table.
 * @param head of the names' column, which may be empty, and of each column of figures
 */
export function figuresTable([corner = '', ...heads]: readonly string[], rows: readonly Row[]): ReactElement {
  return h(
    'table',
    { className: 'figures', width: '100%', cellPadding: '4', cellSpacing: '0', style: styles.figures },
    h(
      'thead',
      null,
      h(
        'tr',
        null,
        h('th', { scope: 'col', align: 'left', className: 'first' }, corner),
        heads.map((head, column) => h('th', { key: column, scope: 'col', align: 'right' }, head)),
      ),
    ),
    h(
      'tbody',
      null,
      rows.map(({ name, figures }, row) =>
        h(
          'tr',
          { key: row },
          h('td', { className: 'first' }, name),
          figures.map((figure, column) => h('td', { key: column, align: 'right' }, figure)),
        ),
      ),
    ),
  )
}
