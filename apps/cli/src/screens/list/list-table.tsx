import type { Locale } from '@jiaowu/api/locale'
import { t } from '@jiaowu/api/texts/index'
import { groupName } from '@jiaowu/machines/entity-list/figures'
import type { EntityListView } from '@jiaowu/machines/entity-list/view'
import { Box } from 'ink'
import { Text } from '../ui.tsx'
import type { DrawnTable, ListItem } from './list-items.ts'

interface Props {
  readonly view: EntityListView
  readonly locale: Locale
  readonly items: readonly ListItem[]
  readonly table: DrawnTable
  readonly cursor: number
  /** Lines for the rows. */
  readonly height: number
}

/** The rows around the cursor, with the mark of the chosen ones and the heads of groups. */
export function ListTable({ view, locale, items, table, cursor, height }: Props) {
  const from = Math.max(0, Math.min(cursor - Math.floor(height / 2), items.length - height))
  const isChoosing = view.may.selection !== 'none'
  return (
    <Box flexDirection="column">
      <Text bold wrap="truncate-end">
        {isChoosing ? '      ' : '  '}
        {table.head}
      </Text>
      {items.slice(from, from + height).map((item, i) => {
        const isAt = from + i === cursor
        const mark = isAt ? '❯ ' : '  '
        if ('section' in item)
          return (
            <Text key={`group ${item.section.key}`} bold color="cyan" wrap="truncate-end">
              {mark}
              {describeSection(item.section, view, locale)}
            </Text>
          )
        const box = isChoosing ? (item.isChosen ? '[x] ' : '[ ] ') : ''
        return (
          <Text key={item.row.id} inverse={isAt} wrap="truncate-end">
            {mark}
            {box}
            {table.lines.get(item.row.id) ?? ''}
          </Text>
        )
      })}
    </Box>
  )
}

type Section = NonNullable<EntityListView['sections']>[number]

function describeSection(section: Section, { config, group }: EntityListView, locale: Locale) {
  const field = config?.fields.find(({ attrName }) => attrName === group?.column)
  const name = field === undefined ? section.key : groupName(section.value, field, locale)
  const parts = [
    `${section.isOpen ? '▾' : '▸'} ${name}`,
    section.count === null ? '' : t(locale, 'group.count', { n: section.count }),
    section.isContinued ? t(locale, 'group.continued') : '',
  ]
  return parts.filter((part) => part !== '').join(' · ')
}
