import type { MachineWords } from './machine-words.ts'

export const entityForm = {
  name: ['数据表单', 'The form of a row'],
  place: [
    '登录后打开一张表，按“新增”，或一行的“编辑”“查看”',
    'Sign in, open a table, and add a row or open one',
  ],
  starts: {
    edit: ['按一行的“编辑”', 'Press “Edit” in a row'],
    add: ['按“新增”', 'Press the button that adds a row'],
    copy: ['按一行的“更多”，选“复制”', 'Press “More” in a row, choose to copy it'],
    view: ['按一行的“查看”', 'Press “View” in a row'],
  },
  states: {
    loading: ['正在打开表单', 'the form is loaded'],
    failed: ['表单打不开', 'the form could not be loaded'],
    viewing: ['查看', 'looking at the row'],
    editing: ['填写', 'filling in'],
    'editing.pristine': ['还没有改动', 'nothing is changed'],
    'editing.dirty': ['有未保存的改动', 'there are unsaved changes'],
    'editing.leaving': ['询问是否放弃改动', 'asking whether to drop the changes'],
    saving: ['正在保存', 'saving'],
    stale: ['别人也改了：选择保留哪一个', 'somebody else changed it: choose which to keep'],
    saved: ['已保存，表单关闭', 'saved; the form closes'],
    left: ['表单关闭', 'the form closes'],
  },
  events: {
    'field.change': ['修改一项', 'Change a value'],
    'field.change(name)': ['在“名字”中填“{value}”', 'Type “{value}” as the name'],
    'field.change(empty)': ['清空“名字”', 'Clear the name'],
    'field.change(faculty)': ['在“院系”中另选一个', 'Choose another faculty'],
    'field.blur': ['离开“名字”（按 Tab）', 'Leave the name field (press Tab)'],
    'group.toggle': ['点分组标题，收起或展开', 'Press the heading of a group to close or open it'],
    'form.submit': ['按“{common.save}”', 'Press “{common.save}”'],
    'form.submit(next)': ['按“{form.saveNext}”', 'Press “{form.saveNext}”'],
    'pin.toggle': ['按“名字”旁的图钉', 'Press the pin beside the name'],
    'form.retry': ['按“{common.retry}”', 'Press “{common.retry}”'],
    'form.leave': [
      '按“{common.cancel}”（只查看时按“{common.close}”）',
      'Press “{common.cancel}” (“{common.close}” when only looking)',
    ],
    'leave.confirm': ['在询问中按“{common.ok}”', 'Press “{common.ok}” in the question'],
    'leave.cancel': ['在询问中按“{common.cancel}”', 'Press “{common.cancel}” in the question'],
    'stale.choose': ['选择保留哪一个值', 'Choose which value to keep'],
    'stale.choose(mine)': [
      '在“名字”一行选自己的值',
      'Choose your own value in the line of the name',
    ],
    'stale.choose(theirs)': [
      '在“名字”一行选对方的值',
      'Choose the other value in the line of the name',
    ],
    'stale.save': ['在对话框中按“{common.save}”', 'Press “{common.save}” in the dialog'],
    'stale.cancel': ['在对话框中按“{common.cancel}”', 'Press “{common.cancel}” in the dialog'],
  },
  calls: { loadForm: ['读取表单', 'loading the form'], saveRow: ['保存', 'saving'] },
  endings: {
    'loadForm.loaded': ['成功', 'it succeeds'],
    'loadForm.ok': ['成功', 'it succeeds'],
    'saveRow.already': ['别人已存了同样的值', 'somebody has saved the same values already'],
    'saveRow.lost': [
      '答复丢失，不知是否已存',
      'the answer is lost: it is not known whether the record is saved',
    ],
    'saveRow.stale': ['被拒绝，别人先改了“名字”', 'it is refused: somebody changed the name first'],
    'saveRow.staleEmpty': [
      '被拒绝，别人先清空了“名字”',
      'it is refused: somebody cleared the name first',
    ],
  },
} as const satisfies MachineWords
