import { Button, Callout, InputGroup, Switch } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import {
  entityPermission,
  functionPermissions,
  type GrantableEntity,
  isSameRule,
  permissionChange,
  problemOf,
  problemText,
  type RolePermissions,
  staleCode,
} from '@jiaowu/api'
import { useEffect, useMemo, useState } from 'react'
import { useLocation } from 'react-router-dom'
import { useApp } from '../../shell/context/app-context.tsx'
import { useLoad } from '../designer/definitions/use-load.ts'
import { Empty, Failed, Loading } from '../../ui/page-state.tsx'
import { editedOf, type Edited, rebased, ruleFor, withCodes, withRule } from './edit.ts'
import { PermissionMatrix } from './permission-matrix.tsx'
import { ReviewDialog } from './review-dialog.tsx'
import { RuleDrawer } from './rule-drawer.tsx'

/** /role/:id/permissions: everything a role permits on one page (docs/rules/security.md#permissions). */
export function PermissionsPage({ id }: { readonly id: string }) {
  const { api, locale } = useApp()
  const { pathname, search } = useLocation()
  const { data, problem, reload } = useLoad(id, (signal) =>
    api.role.permissions({ params: { id }, signal }),
  )
  if (data === null)
    return problem === null ? (
      <Loading />
    ) : (
      <Failed text={problemText(locale, problem)} onRetry={reload} />
    )
  return <Editor loaded={data} path={`${pathname}${search}`} />
}

function Editor({ loaded, path }: { readonly loaded: RolePermissions; readonly path: string }) {
  const { t, can, setTabDirty, setTabTitle } = useApp()
  const [{ role, edited }, setState] = useState({ role: loaded, edited: editedOf(loaded) })
  const [search, setSearch] = useState('')
  const [onlyGranted, setOnlyGranted] = useState(false)
  const [open, setOpen] = useState<GrantableEntity | null>(null)
  const [reviewing, setReviewing] = useState(false)
  const edit = (change: (now: Edited) => Edited) =>
    setState((state) => ({ ...state, edited: change(state.edited) }))
  const change = useMemo(() => permissionChange(role, edited), [role, edited])
  const count = change.added.length + change.removed.length + change.rules.length
  const { busy, fault, save, forget } = useSave(role, edited, (next, mine) => {
    setState({ role: next, edited: mine })
    setReviewing(false)
  })
  const shown = useShown(role, edited, search, onlyGranted)
  const readOnly = role.fixed || !can(entityPermission('SYS_ROLE', 'update'))
  useEffect(() => {
    setTabTitle(path, `${t('role.title')} · ${role.name}`)
  }, [setTabTitle, path, t, role.name])
  useEffect(() => {
    setTabDirty(path, count > 0)
  }, [setTabDirty, path, count])
  const nothing = shown.groups.length === 0 && shown.functions.length === 0
  return (
    <section className="jw-panel jw-permissions" aria-label={t('role.title')}>
      <div className="jw-toolbar">
        <h3>{role.name}</h3>
        <code>{role.code}</code>
        <InputGroup
          type="search"
          leftElement={<Search />}
          aria-label={t('role.search')}
          placeholder={t('role.search')}
          value={search}
          onValueChange={setSearch}
        />
        <Switch
          className="jw-permissions__only"
          label={t('role.onlyGranted')}
          checked={onlyGranted}
          onChange={(event) => setOnlyGranted(event.currentTarget.checked)}
        />
        <span className="jw-toolbar__gap" />
        <span className="jw-muted" aria-live="polite">
          {count === 0 ? t('role.noChanges') : t('role.changes', { n: count })}
        </span>
        <Button
          text={t('role.undo')}
          disabled={count === 0}
          onClick={() => edit(() => editedOf(role))}
        />
        <Button
          intent="primary"
          text={t('common.save')}
          disabled={count === 0 || readOnly}
          onClick={() => {
            forget()
            setReviewing(true)
          }}
        />
      </div>
      {role.fixed ? (
        <Callout compact intent="primary" className="jw-permissions__note">
          {t('role.fixed')}
        </Callout>
      ) : null}
      {nothing ? (
        <Empty title={t('role.none')} />
      ) : (
        <PermissionMatrix
          role={role}
          edited={edited}
          {...shown}
          readOnly={readOnly}
          onCodes={(codes, on) => edit((now) => withCodes(now, codes, on, role.holds))}
          onRule={setOpen}
        />
      )}
      {open === null ? null : (
        <RuleDrawer
          entity={open}
          rule={ruleFor(edited, open.tag)}
          readOnly={readOnly}
          onChange={(rule) => edit((now) => withRule(now, rule))}
          onClose={() => setOpen(null)}
        />
      )}
      {reviewing ? (
        <ReviewDialog
          role={role}
          edited={edited}
          change={change}
          busy={busy}
          fault={fault}
          onSave={() => {
            void save()
          }}
          onClose={() => setReviewing(false)}
        />
      ) : null}
    </section>
  )
}

/** Saving, and what comes of it: saved, refused, or somebody was first. */
function useSave(
  role: RolePermissions,
  edited: Edited,
  onSaved: (role: RolePermissions, edited: Edited) => void,
) {
  const { api, t, toast, locale, confirm, reloadProfile } = useApp()
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const save = async (): Promise<boolean> => {
    setBusy(true)
    setFault(null)
    try {
      const saved = await api.role.savePermissions({
        params: { id: role.id },
        body: {
          version: role.version,
          codes: [...edited.codes],
          rules: edited.rules.filter((rule) => !isSameRule(rule, undefined)),
        },
      })
      onSaved(saved, editedOf(saved))
      toast('success', t('role.saved'))
      reloadProfile()
      return true
    } catch (error) {
      const problem = problemOf(error)
      if (
        problem.code === staleCode &&
        (await confirm({
          title: t('role.staleTitle'),
          text: t('role.staleText'),
          confirmText: t('role.staleTake'),
        }))
      ) {
        const current = problem.data as RolePermissions
        onSaved(current, rebased(role, edited, current))
      } else setFault(problem.issues[0]?.msg ?? problemText(locale, problem))
      return false
    } finally {
      setBusy(false)
    }
  }
  return { busy, fault, save, forget: () => setFault(null) }
}

function useShown(role: RolePermissions, edited: Edited, search: string, onlyGranted: boolean) {
  const { t } = useApp()
  return useMemo(() => {
    const wanted = search.trim().toLowerCase()
    const fits = (...texts: readonly string[]) =>
      wanted === '' || texts.some((text) => text.toLowerCase().includes(wanted))
    const isGranted = (code: string) => role.fixed || edited.codes.includes(code)
    const isShown = ({ tag, name }: GrantableEntity, group: string) =>
      fits(tag, name, group) &&
      (!onlyGranted ||
        isGranted(entityPermission(tag, 'view')) ||
        edited.codes.some((code) => code.startsWith(`entity:${tag}:`)))
    return {
      groups: role.groups
        .map(({ name, entities }) => ({
          name,
          entities: entities.filter((entity) => isShown(entity, name ?? '')),
        }))
        .filter(({ entities }) => entities.length > 0),
      functions: functionPermissions.filter(
        (code) =>
          role.functions.includes(code) &&
          fits(code, t(`role.fn.${code}`)) &&
          (!onlyGranted || isGranted(code)),
      ),
    }
  }, [role, edited.codes, search, onlyGranted, t])
}
