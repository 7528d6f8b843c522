import { t as translate } from '@jiaowu/api/texts/index'
import { entityPermission } from '@jiaowu/api/entity/permission'
import { useCallback, useState } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { useApi } from '../../app/api-context.ts'
import { useTabs } from '../../app/tab-context.ts'
import { useText } from '../../app/text-context.ts'
import { EntityForm } from './entity-form.tsx'
import { RecordFrame } from './record/record-frame.tsx'
import type { ShownRecord } from './record/shown-record.ts'
import { formatRecordTitle } from './titled.ts'
import { paths } from '../../paths.ts'
import { findOpener } from '../../shell/navigation/openers.ts'

/** The details of a record in its own tab or window. */
export function EntityDetailsPage({
  tag,
  id,
  inWindow,
}: {
  readonly tag: string
  readonly id: string
  readonly inWindow: boolean
}) {
  const { locale } = useText()
  const { closeTab, setTabTitle } = useTabs()
  const navigate = useNavigate()
  const { search } = useLocation()
  const path = `/entity/${tag}/details${search}`
  // Scripts cannot close a window that the user opened: show the list instead.
  const close = useCallback(() => {
    if (inWindow) window.close()
    else closeTab(path)
    void navigate((inWindow ? null : findOpener(path)) ?? paths.list(tag))
  }, [closeTab, inWindow, navigate, path, tag])
  const onTitle = useCallback(
    (name: string, record: string | null) => {
      const title =
        new URLSearchParams(search).get('_title') ??
        formatRecordTitle(translate(locale, 'form.viewTitle', { name }), record)
      if (inWindow) document.title = title
      else setTabTitle(path, title)
    },
    [inWindow, locale, path, search, setTabTitle],
  )
  const { can } = useApi()
  const [record, setRecord] = useState<ShownRecord | null>(null)
  const [changes, setChanges] = useState(0)
  const mayEdit =
    !inWindow &&
    can(entityPermission(tag, 'update')) &&
    record?.config.refuses?.includes('update') !== true
  const mayAdd =
    !inWindow &&
    can(entityPermission(tag, 'add')) &&
    record?.config.refuses?.includes('add') !== true
  return (
    <RecordFrame tag={tag} record={record} onRestored={() => setChanges(changes + 1)}>
      <EntityForm
        asPage
        viewOnly
        tag={tag}
        id={id}
        changes={changes}
        onSaved={close}
        onLeft={close}
        onTitle={onTitle}
        onRecord={setRecord}
        onCopy={mayAdd ? () => void navigate(paths.form(tag, { copyOf: id })) : undefined}
        onEdit={mayEdit ? () => void navigate(paths.form(tag, { id })) : undefined}
      />
    </RecordFrame>
  )
}
