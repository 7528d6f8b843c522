import type { machines } from '@jiaowu/machines/table'
import type { PortOutcomes } from './spec.ts'

type Machines = typeof machines
/** The calls a machine makes, as its own types say. */
export type PortOf<N extends keyof Machines> = keyof PortOutcomes<Machines[N]> & string

/** The result of a failed call. */
export interface FaultRow {
  /** One of these states, inner ones behind a dot; `done` when the machine is at its end. */
  readonly to: readonly string[]
  /** Where the person reads why: on the page, or in a toast. A sentence: nowhere, and why that is right. */
  readonly shownIn: 'page' | 'toast' | 'page or toast' | `nothing: ${string}`
  /**
   * Ways out of the failure, of which one at least is possible. `time`: it is asked again by
   * itself.
   */
  readonly out: readonly string[]
  /**
   * Whether the call changes data on the server, so that a repeated gesture must send it only once.
   * `later`: an answer starts the call, so no gesture can repeat it.
   */
  readonly writes?: true | 'later'
  /** The same for a session that is over, where that is something else. */
  readonly ended?: Pick<FaultRow, 'to' | 'shownIn' | 'out'>
  /** The same for calls made in these states. */
  readonly from?: Readonly<Record<string, Pick<FaultRow, 'to' | 'shownIn' | 'out'>>>
}

const shownInPage = (to: string, ...out: readonly string[]) =>
  ({ to: [to], shownIn: 'page', out }) as const
const shownInToast = (to: string, ...out: readonly string[]) =>
  ({ to: [to], shownIn: 'toast', out }) as const
/** The order ends with the session: no screen is left to show it. */
const leaving = { to: ['done'], shownIn: 'nothing: the person has signed out', out: [] } as const

/**
 * Results of each call of each machine when no answer comes, or an unexpected one. A call without a
 * row does not compile.
 */
export const faultTable = {
  session: {
    signIn: {
      to: ['signedOut', 'expired.form'],
      shownIn: 'page',
      // A factor that is asked for stays open.
      out: ['session.signIn', 'factor.answer'],
    },
    refresh: {
      to: ['present.token.fresh'],
      shownIn: 'nothing: the token may still be good, and if not the next call says so',
      out: ['session.signOut'],
      ended: {
        to: ['expired.reminder', 'signedOut'],
        shownIn: 'nothing: the reminder says it, or the sign-in page does',
        out: ['reminder.confirm', 'session.signIn'],
      },
    },
    signOut: {
      to: ['signedOut'],
      shownIn:
        'nothing: everything is forgotten all the same (docs/spec/2-student-service-and-designer.md §4)',
      out: ['session.signIn'],
    },
    loadProfile: {
      to: ['present.profile.failed', 'expired.form'],
      shownIn: 'page',
      out: ['profile.retry', 'session.signIn'],
      from: {
        'present.profile.reloading': {
          to: ['present.profile.known'],
          shownIn: 'nothing: what is known stays, and the page with it',
          out: ['profile.reload'],
        },
      },
      ended: {
        to: ['signedOut', 'expired.reminder', 'expired.form'],
        shownIn: 'nothing: the reminder says it, or the sign-in page does',
        out: ['session.signIn', 'reminder.confirm'],
      },
    },
  },
  entityList: {
    loadConfig: shownInPage('list.broken', 'list.refresh'),
    loadPage: shownInPage('list.ready.failed', 'list.refresh'),
    loadFigures: shownInToast('figures.idle', 'list.refresh'),
    countRows: {
      to: ['total.idle'],
      shownIn: 'nothing: the estimate stays, and says that it is one',
      out: ['list.refresh'],
    },
    removeRows: {
      to: ['list.ready.shown', 'list.ready.loading'],
      shownIn: 'toast',
      out: ['delete.ask', 'list.refresh'],
      writes: true,
    },
    exportRows: shownInToast('export.idle', 'export.start'),
    pressButton: { ...shownInToast('button.idle', 'button.press'), writes: true },
    undoLast: { ...shownInToast('undo.idle', 'list.refresh'), writes: true },
  },
  entityForm: {
    loadForm: shownInPage('failed', 'form.retry'),
    saveRow: { ...shownInPage('editing.dirty', 'form.submit'), writes: true },
  },
  buttons: {
    loadActions: shownInPage('ready.unloaded', 'press.retry'),
    sendRequest: { ...shownInPage('ready.unsent', 'press.retry'), writes: true },
  },
  adoptTables: {
    tables: shownInPage('failed', 'adopt.retry'),
    draft: shownInPage('failed', 'adopt.retry'),
    adopt: { ...shownInPage('choosing', 'adopt.save'), writes: true },
  },
  gridEdit: {
    loadConfig: shownInPage('table.broken', 'grid.refresh'),
    loadBlock: shownInPage('blocks.failed', 'grid.retry', 'grid.refresh'),
    countRows: {
      to: ['total.idle'],
      shownIn: 'nothing: the estimate stays, and says that it is one',
      out: ['grid.refresh'],
    },
    loadRows: shownInToast('table.ready.selecting', 'cells.copy', 'cells.clear'),
    findRows: shownInToast('table.ready.selecting', 'paste.start'),
    // Rows are sent again by themselves, and nothing that was typed is lost meanwhile.
    saveRows: { ...shownInPage('saving.offline', 'grid.retry', 'time'), writes: true },
    checkPaste: shownInToast('table.ready.selecting', 'paste.start', 'cells.clear'),
    writePaste: { ...shownInToast('table.ready.selecting', 'grid.refresh'), writes: true },
    dropPaste: {
      to: ['table.ready.selecting'],
      shownIn: 'nothing: a job that is not confirmed writes nothing and is deleted after a day',
      out: ['paste.start', 'grid.refresh'],
    },
    revertRows: {
      ...shownInToast('table.ready.selecting', 'history.undo', 'history.redo'),
      writes: true,
    },
  },
  lookup: { find: shownInPage('open.failed', 'lookup.retry') },
  designer: {
    loadDesign: shownInPage('failed', 'design.retry'),
    checkDesign: {
      ...shownInPage('open.work.editing.dirty.checked', 'design.save'),
      from: {
        'open.work.editing.dirty.checking': {
          to: ['open.work.editing.dirty.checked'],
          shownIn: 'nothing: it only helps while typing; saving reports the fault',
          out: ['design.save', 'json.cancel', 'json.apply'],
        },
      },
    },
    saveDesign: { ...shownInPage('open.work.editing.dirty.checked', 'design.save'), writes: true },
  },
  printPreview: {
    preview: shownInPage('failed', 'print.retry'),
    download: { ...shownInPage('shown', 'print.download'), writes: true },
  },
  smsCode: {
    captcha: shownInPage('captcha.failed', 'captcha.renew'),
    verify: shownInPage('captcha.wrong', 'captcha.cancel'),
    smsCode: { ...shownInPage('idle', 'sms.ask'), writes: 'later' },
  },
  signIn: { signIn: { ...shownInPage('form.refused', 'form.submit'), writes: true } },
  register: { register: { ...shownInPage('open.refused', 'form.submit'), writes: true } },
  resource: {
    load: shownInPage('data.read.failed', 'resource.reload'),
    act: {
      to: ['action.idle', 'action.confirming', 'action.acting'],
      shownIn: 'page or toast',
      out: ['action.start', 'action.cancel'],
      writes: true,
    },
  },
  entrySheet: {
    readEntry: {
      ...shownInPage('failed', 'entry.refresh'),
      from: { 'shown.refreshing': shownInPage('shown.idle', 'entry.refresh') },
    },
    submitEntry: { ...shownInPage('shown.asking', 'submit.confirm', 'ask.cancel'), writes: true },
    unlockEntry: {
      ...shownInPage('shown.explaining', 'unlock.confirm', 'ask.cancel'),
      writes: true,
    },
    addRows: { ...shownInPage('shown.adding', 'add.confirm', 'ask.cancel'), writes: true },
  },
  // A reveal that is not answered may have been audited; nothing else changes.
  reveal: { reveal: shownInPage('asking', 'reveal.confirm') },
  todoList: {
    loadTodos: shownInPage('list.failed', 'list.refresh'),
    checkTodos: shownInPage('batch.asking', 'batch.check', 'batch.close'),
    decideTodos: { ...shownInPage('batch.checked', 'batch.send', 'batch.close'), writes: true },
  },
  notices: { notices: shownInPage('failed', 'notices.retry') },
  download: {
    detail: shownInPage('list.failed', 'list.refresh'),
    reports: shownInPage('list.failed', 'list.refresh'),
    price: shownInPage('preview.failed', 'preview.retry'),
    preview: shownInPage('preview.failed', 'preview.retry'),
    order: {
      to: ['method', 'preview.shown'],
      shownIn: 'page',
      out: ['pay.choose', 'preview.confirm'],
      writes: true,
      from: { 'ordering.unwanted': leaving },
    },
    orderStatus: {
      to: ['scanPay.waiting', 'failed.unconfirmed'],
      shownIn: 'page',
      out: ['pay.cancel', 'failure.check'],
      from: { 'closing.wish.toEnd': leaving },
    },
    cancelOrder: {
      to: ['closing.call.asking'],
      shownIn: 'nothing: the status is asked for next, and that answer is shown',
      out: ['session.end'],
      writes: true,
      from: { 'closing.wish.toEnd': leaving },
    },
    download: shownInPage('unsaved', 'save.retry'),
  },
  transfer: {
    recall: {
      to: ['transfer.choosing.forgotten'],
      shownIn: 'nothing: what was chosen the last time is a help, not a need',
      out: ['transfer.retry'],
    },
    upload: { ...shownInPage('transfer.choosing', 'file.choose'), writes: true },
    readJob: {
      to: ['transfer.unopened', 'transfer.checking.lost', 'transfer.running.lost'],
      shownIn: 'page',
      out: ['transfer.retry'],
    },
    resumeJob: {
      to: [
        'transfer.reviewing',
        'transfer.paused',
        'transfer.failed',
        'transfer.checking',
        'transfer.running',
      ],
      shownIn: 'page',
      out: ['job.run', 'job.resume', 'job.check', 'transfer.restart'],
      writes: true,
    },
    cancelJob: {
      to: [
        'transfer.reviewing',
        'transfer.paused',
        'transfer.failed',
        'transfer.checking',
        'transfer.running',
      ],
      shownIn: 'toast',
      out: ['job.cancel', 'transfer.restart'],
      writes: true,
    },
    loadRows: shownInPage('transfer.reviewing.rows.failed', 'transfer.retry'),
    saveFile: shownInToast('saving.idle', 'template.save', 'result.save'),
    exportSheet: shownInPage('transfer.exporting.failed', 'transfer.retry'),
  },
  bulkEdit: {
    startBulk: {
      to: ['change.choosing', 'change.failed'],
      shownIn: 'page',
      out: ['preview.start', 'preview.back'],
      writes: true,
    },
    readBulk: shownInPage('change.following.lost', 'time'),
    applyBulk: { ...shownInPage('change.reviewing', 'apply.start', 'preview.back'), writes: true },
    cancelBulk: { ...shownInToast('change.following.asking', 'time'), writes: true },
    saveBulk: shownInToast('file.idle', 'result.save', 'time', 'preview.back'),
  },
  views: {
    loadViews: shownInPage('unavailable', 'views.retry'),
    saveView: {
      to: ['ready.view.naming', 'ready.view.idle'],
      shownIn: 'page or toast',
      out: ['view.save', 'draft.submit', 'view.edit'],
      writes: true,
    },
    removeView: { ...shownInToast('ready.view.idle', 'view.open'), writes: true },
    chooseOpening: { ...shownInToast('ready.view.idle', 'view.open'), writes: true },
    keepLayout: {
      to: ['ready.layout.kept'],
      shownIn:
        'nothing: the columns are as they are on this screen; where they are kept is tried again with the next change',
      out: ['columns.change'],
    },
  },
  tags: {},
  countdown: {},
} as const satisfies { readonly [N in keyof Machines]: { readonly [P in PortOf<N>]: FaultRow } }
