import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import type { RelatedList } from '@jiaowu/api/contract/entity/search'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import type { Row } from '@jiaowu/api/entity/values'
import type { Where, WhereLeaf } from '@jiaowu/api/entity/list/list-query'
import {
  buildRelatedLeaf,
  readLeastRelated,
} from '@jiaowu/machines/entity-list/conditions/related-leaf'
import { type ComponentType, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { useResource } from '../../../ui/resource/use-resource.ts'

interface Props {
  readonly list: RelatedList
  readonly leaf: WhereLeaf
  /** Edits the conditions of the related rows. */
  readonly Editor: ComponentType<{
    readonly config: EntityConfig
    readonly where: Where | null
    readonly rows: readonly Row[]
    readonly isInner: boolean
    readonly onApply: (where: Where | null) => void
    readonly onClose: () => void
  }>
  readonly onChange: (leaf: WhereLeaf) => void
}

/** None of the related rows, or at least so many, and the conditions that they meet. */
export function RelatedLeaf({ list, leaf, Editor, onChange }: Props) {
  const { t, locale } = useText()
  const { api } = useApi()
  const [isOpen, setOpen] = useState(false)
  const { data: config } = useResource({
    query: list.tag,
    load: (tag: string, signal) => api.entityData.config({ params: { tag }, signal }),
  })
  const least = readLeastRelated(leaf)
  const where = leaf.where ?? null
  const set = (n: number, conditions = where) =>
    onChange(buildRelatedLeaf(list, n, { where: conditions, config }, locale))
  return (
    <>
      <HTMLSelect
        aria-label={t('filter.operator')}
        value={least === 0 ? 'none' : 'least'}
        options={[
          { value: 'none', label: t('filter.none') },
          { value: 'least', label: t('filter.least') },
        ]}
        onChange={({ currentTarget: { value } }) => set(value === 'none' ? 0 : 1)}
      />
      <div className="jw-filter__value jw-filter__related">
        {least === 0 ? null : (
          <InputGroup
            type="number"
            min={1}
            max={10_000}
            aria-label={t('filter.leastNumber')}
            value={String(least)}
            onValueChange={(text) =>
              set(Math.min(10_000, Math.max(1, Math.floor(Number(text)) || 1)))
            }
          />
        )}
        <Button
          variant="outlined"
          disabled={config === null}
          text={where === null ? t('filter.relatedWhere') : (leaf.name ?? t('filter.relatedWhere'))}
          onClick={() => setOpen(true)}
        />
      </div>
      {isOpen && config !== null ? (
        <Editor
          config={config}
          where={where}
          rows={[]}
          isInner
          onApply={(next) => set(least, next)}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}
