import { figureText } from '@jiaowu/machines/entity-list/figures'
import { useText } from '../../../app/text-context.ts'
import type { List } from '../use-list.ts'

/** The figures that the list shows below its columns, in one line. */
export function FigureLine({ list: { view } }: { readonly list: List }) {
  const { t, locale } = useText()
  const { config, footer, figures } = view
  return footer.flatMap(({ column, fn }) => {
    const field = config?.fields.find(({ attrName }) => attrName === column)
    const found = figures.find((each) => each.column === column && each.fn === fn)
    return field === undefined || found === undefined
      ? []
      : [
          <span key={`${column} ${fn}`}>
            {field.uiLabel} {t(`figure.${fn}`)} <b>{figureText(found, field, locale)}</b>
          </span>,
        ]
  })
}
