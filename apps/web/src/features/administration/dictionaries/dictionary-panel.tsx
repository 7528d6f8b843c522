import { Button } from '@blueprintjs/core'
import { Download } from '@blueprintjs/icons'
import type { DictItem, Row } from '@jiaowu/api/entity/values'
import type { EntityConfig } from '@jiaowu/api/entity/config'
import { entityPermission } from '@jiaowu/api/entity/permission'
import { listImportModes } from '@jiaowu/machines/entity-list/rights'
import { Suspense, useMemo, useState } from 'react'
import { useApi } from '../../../app/api-context.ts'
import { useText } from '../../../app/text-context.ts'
import { ResourceBody } from '../../../ui/resource/resource-body.tsx'
import { ImportButton } from '../../import/transfer-buttons.tsx'
import { DictionaryItems } from './dictionary-items.tsx'
import { DictionaryPreview } from './dictionary-preview.tsx'
import { useDictionaryItems } from './use-dictionary-items.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'

const ExportDrawer = lazyPart(() =>
  import('../../export/export-drawer.tsx').then((module) => module.ExportDrawer),
)
const itemTag = 'SYS_DICT_ITEM'

/** One dictionary: its items with import and export, and a preview of them. */
export function DictionaryPanel({
  dict,
  config,
}: {
  readonly dict: Row
  readonly config: EntityConfig
}) {
  const { t, locale } = useText()
  const { can, permissions } = useApi()
  const code = String(dict['code'])
  const [exporting, setExporting] = useState(false)
  const [editing, setEditing] = useState<string | null>(null)
  const items = useDictionaryItems(code, () => setEditing(null))
  const { data } = items
  const offered = useMemo(() => offeredItems(data?.records ?? [], locale), [data, locale])
  return (
    <section className="jw-panel jw-dict__main" aria-label={String(dict['name'])}>
      <div className="jw-toolbar">
        <h3>
          {String(dict['name'])} <code>{code}</code>
        </h3>
        <span className="jw-toolbar__gap" />
        <ImportButton
          config={config}
          modes={listImportModes(config, permissions)}
          onChanged={items.reload}
        />
        {can(entityPermission(itemTag, 'export')) ? (
          <Button icon={<Download />} text={t('list.export')} onClick={() => setExporting(true)} />
        ) : null}
      </div>
      <ResourceBody of={items}>
        {({ records, total }) => (
          <div className="jw-dict__body">
            <div>
              <h4>
                {t('dictPage.items')}{' '}
                <span className="jw-muted">
                  {t('dictPage.count', { n: total ?? records.length })}
                </span>
              </h4>
              <DictionaryItems
                items={items}
                rows={records}
                may={{
                  add: can(entityPermission(itemTag, 'add')),
                  update: can(entityPermission(itemTag, 'update')),
                  delete: can(entityPermission(itemTag, 'delete')),
                }}
                editing={editing}
                onEditing={setEditing}
              />
            </div>
            <section aria-label={t('dictPage.preview')}>
              <h4>{t('dictPage.preview')}</h4>
              {offered.length === 0 ? (
                <p className="jw-muted">{t('dictPage.noItems')}</p>
              ) : (
                <DictionaryPreview key={JSON.stringify(offered)} items={offered} />
              )}
            </section>
          </div>
        )}
      </ResourceBody>
      {exporting ? (
        <Suspense fallback={null}>
          <ExportDrawer
            config={config}
            applied={{ dictCode: code }}
            sorts={[{ column: 'sort', asc: true }]}
            total={data?.total ?? 0}
            columns={null}
            onClose={() => setExporting(false)}
          />
        </Suspense>
      ) : null}
    </section>
  )
}

/** Items as a form offers them: those that are enabled, in the user's language. */
function offeredItems(rows: readonly Row[], locale: string): readonly DictItem[] {
  return rows
    .filter((row) => row['status'] === '1')
    .map((row) => ({
      id: String(row['itemCode']),
      name: String((locale === 'en' ? row['nameEn'] : null) ?? row['name']),
      pid: String(row['pid'] ?? '0'),
    }))
}
