import { group } from '../group.ts'

// docs/rules/contract.md#flows
export const todoTexts = group({
  'todo.title': ['待办', 'To do'],
  'todo.count': ['{n} 件待办', '{n} to do'],
  'todo.lists': ['哪些流程', 'Which cases'],
  'todo.mine.open': ['我的待办', 'For me to decide'],
  'todo.mine.started': ['我发起的', 'Begun by me'],
  'todo.mine.decided': ['我已办', 'Decided by me'],
  'todo.mine.copied': ['抄送我', 'Copies for me'],
  'todo.entity': ['业务', 'Kind'],
  'todo.everyEntity': ['全部业务', 'Every kind'],
  'todo.none.open': ['没有等您办理的事', 'Nothing waits for you'],
  'todo.none.started': ['您还没有发起过流程', 'You have begun no case yet'],
  'todo.none.decided': ['您还没有办理过流程', 'You have decided no case yet'],
  'todo.none.copied': ['没有抄送给您的流程', 'There is no copy for you'],
  'todo.total': ['共 {n} 件', '{n} in all'],
  'todo.refresh': ['刷新', 'Refresh'],
  'todo.choose': ['选择“{title}”', 'Choose “{title}”'],
  'todo.chooseAll': ['本页全选', 'Choose all of the page'],
  'todo.chosen': ['已选 {n} 件', '{n} chosen'],
  'todo.noCommon': [
    '所选各件没有共同的可办事项，或需逐件填写，请打开后办理',
    'The chosen cases have no decision in common, or ask for fields of their own: open each',
  ],
  'todo.batch': ['批量办理', 'Decide together'],
  'todo.check': ['核对', 'Check'],
  'todo.checkHint': [
    '先核对每一件会到哪个状态，核对时不办理。',
    'First check the state that each would come to; nothing is decided yet.',
  ],
  'todo.send': ['{name}（{n} 件）', '{name} ({n})'],
  'todo.checked': ['{ok} 件可办，{refused} 件不可办', '{ok} can be decided, {refused} cannot'],
  'todo.told': ['已办 {ok} 件，{refused} 件没有办成', '{ok} decided, {refused} not'],
  'todo.would': ['会到“{state}”', 'would come to “{state}”'],
  'todo.now': ['现为“{state}”', 'is now “{state}”'],
})
