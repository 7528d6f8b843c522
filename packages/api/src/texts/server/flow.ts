import { group } from '../group.ts'

/** Findings about flows, and refusals of the server (docs/rules/contract.md#flows). */
export const flowTexts = group({
  'flow.stateWritten': [
    '状态只能由流程改变。请在记录的“流程”中办理，或用 jiaowu flow decide。',
    'The state is changed by the flow alone. Decide in the flow of the record, or with jiaowu flow decide.',
  ],
  'flow.fieldClosed': [
    '流程在当前状态下不允许修改“{label}”。请先退回或撤回。',
    'The flow does not open “{label}” in this state. Have the record returned, or withdraw it, first.',
  ],
  'flow.owned': [
    '“{label}”只能由“{flow}”改变。请在“{flow}”中办理。',
    '“{label}” is changed by “{flow}” alone. Make a request there.',
  ],
  'flow.running': [
    '流程正在办理，不能删除。请先撤回或办结。',
    'The flow is under way: withdraw or finish it before deleting the record.',
  ],
  'flow.rowClosed': [
    '流程在当前状态下不允许这样修改。请在记录的“流程”中办理。',
    'The flow does not allow this change in the current state. Decide in the flow of the record.',
  ],
  'flow.none': ['这个实体没有流程。', 'This entity has no flow.'],
  'flow.moveTarget': [
    '“{name}”不是新流程中尚未办结的一级状态，不能移到那里。',
    '“{name}” is no open, outermost state of the changed flow: no case can move there.',
  ],
  'flow.gone': [
    '流程已从定义中删除，只能查看，不能再办理。请恢复流程后再试。',
    'The flow was removed from the definition: the case can be read, not decided. Restore the flow first.',
  ],
  'flow.notYours': [
    '“{event}”不由您办理（当前状态“{state}”）。等待：{who}。',
    'It is not for you to “{event}” in the state “{state}”. Waiting for: {who}.',
  ],
  'flow.notNow': [
    '当前状态“{state}”没有“{event}”。可办理：{can}。',
    'There is no “{event}” in the state “{state}”. You can: {can}.',
  ],
  'flow.several': [
    '有几处可以“{event}”，请指明：{can}。',
    'There are several “{event}”: name one of {can}.',
  ],
  'flow.condition': [
    '记录不满足“{event}”的条件：{name}',
    'The record does not meet the condition of “{event}”: {name}',
  ],
  'flow.noteRequired': ['请填写意见。', 'Give a note.'],
  'flow.noNote': ['“{event}”不收意见。', '“{event}” takes no note.'],
  'flow.notAsked': ['“{event}”不填写这个字段。', '“{event}” does not ask for this field.'],
  'flow.moved': [
    '已被他人办理：{name} {at} “{event}”，现为“{state}”。请刷新后再办理。',
    'Somebody was first: {name}, {at}, “{event}”; it is now “{state}”. Load it again to decide.',
  ],
  'flow.changed': [
    '记录已被修改，请刷新后再办理。',
    'The record has changed. Load it again to decide.',
  ],
  'flow.effectTarget': [
    '“{name}”没有填写，无法执行流程的动作。',
    '“{name}” is empty, so the effect of the flow cannot be carried out.',
  ],
  'flow.effectValue': [
    '流程要写入的值不合适：{name}。请让设计者检查表达式。',
    'The value that the flow sets does not fit: {name}. Ask its designer to check the expression.',
  ],
  'flow.documentPerson': [
    '文件“{name}”的 person 不是学生的关联字段。请选择关联到学生的字段，或删去 person。',
    'The person of the document “{name}” is no relation to students. Choose one, or remove person.',
  ],
  'flow.systemTable': ['系统表不能有流程。', 'Tables of the system can have no flow.'],
  'flow.secondFlow': [
    '这张表已有流程（{tag}）。一张表只能有一个流程。',
    'The table has a flow already ({tag}). A table has one flow at most.',
  ],
  'flow.noRight': [
    '流程要读或写“{name}”，而您自己没有相应的全部权限，或它是个人信息。请去掉它，或由有权的人保存。',
    'The flow reads or writes “{name}”, which you may not on every row, or which is personal data. Leave it out, or let somebody save it who may.',
  ],
  'flow.who.role': ['{role}', '{role}'],
  'flow.who.within': ['{role}（{org}）', '{role} ({org})'],
  'flow.initial': ['起始', 'Start'],
  'flow.fault.initial': [
    '状态“{state}”没有起始状态“{name}”。请把 initial 改为其中一个状态的键。',
    'State “{state}” has no initial state “{name}”. Set initial to the key of one of its states.',
  ],
  'flow.fault.noInitial': [
    '状态“{state}”不能有起始状态：它没有下级状态，或其下级并行进行。请删去 initial 或 type。',
    'State “{state}” can have no initial state: it has no states within, or they run side by side. Remove initial or type.',
  ],
  'flow.fault.final': [
    '结束状态“{state}”不能有事件、期限、下级状态或可改字段。',
    'The final state “{state}” can have no events, timers, inner states or editable fields.',
  ],
  'flow.fault.target': [
    '状态“{state}”的事件“{event}”指向不存在的状态“{name}”。',
    'Event “{event}” of state “{state}” leads to “{name}”, which is no state.',
  ],
  'flow.fault.who': [
    '状态“{state}”的事件“{event}”没有可办理的人：who 至少写一种人；all、n 只能单独使用，或与 others 一起。',
    'Event “{event}” of state “{state}” has nobody to decide: name people in who; all and n stand alone or with others.',
  ],
  'flow.fault.onDone': [
    '状态“{state}”没有下级状态，onDone 不会发生。',
    'State “{state}” has no states within, so onDone never happens.',
  ],
  'flow.fault.regions': [
    '并行状态“{state}”至少要有两个下级状态。',
    'The parallel state “{state}” needs at least two states within.',
  ],
  'flow.fault.depth': [
    '流程过大：状态最多四层、共 60 个（“{state}”，{name}）。',
    'The flow is too large: at most four levels and 60 states (“{state}”, {name}).',
  ],
  'flow.fault.field': [
    '流程的状态字段“{name}”不存在，或不能存放状态的键。请选择一个可写的文本或字典字段。',
    'The state field “{name}” does not exist or cannot hold the key of a state. Choose a text or dictionary field that is written.',
  ],
  'flow.fault.noItem': [
    '状态“{state}”不在字段“{name}”的选项中。请在字典中加上它的键。',
    'State “{state}” is no choice of the field “{name}”. Add its key to the dictionary.',
  ],
  'flow.fault.student': [
    '学生申请的字段“{name}”不是到“学生”（EDU_STUDENT）的关联字段。请改为关联学生的字段。',
    'The field “{name}” of applications by students is no relation to EDU_STUDENT. Name the field of the student.',
  ],
  'flow.fault.studentFill': [
    '由学生填写的字段“{name}”不存在、不可写，或就是状态字段或学生字段。',
    'The field “{name}” that students fill in does not exist, is not written, or holds the state or the student.',
  ],
  'flow.fault.studentLacks': [
    '必填字段“{name}”不由学生填写，也没有默认值，学生无法提交申请。请加入 student.fill，或给出默认值。',
    'Students cannot apply: the required field “{name}” is not theirs to fill in and has no default. Add it to student.fill, or give it a default.',
  ],
  'flow.filesClosed': [
    '申请在当前状态下不能增删附件。请先撤回。',
    'Files of the application cannot be changed in this state. Withdraw it first.',
  ],
  'flow.student.changed': [
    '申请已有变化，现为“{state}”。请查看后再操作。',
    'The application has moved on; it is now “{state}”. Look at it before you act.',
  ],
  'flow.fault.edit': [
    '状态“{state}”允许修改的字段“{name}”不存在，或就是状态字段。',
    'State “{state}” opens the field “{name}”, which does not exist or holds the state.',
  ],
  'flow.fault.ask': [
    '状态“{state}”的事件“{event}”要求填写的字段“{name}”不存在，或就是状态字段。',
    'Event “{event}” of state “{state}” asks for “{name}”, which does not exist or holds the state.',
  ],
  'flow.fault.ownsUnwritten': [
    '流程独占字段“{name}”（owns），却没有任何动作写它。请加上动作，或从 owns 中去掉它。',
    'The flow owns “{name}”, but no effect writes it. Add an effect, or take it out of owns.',
  ],
  'flow.fault.ownsOpen': [
    '状态“{state}”允许修改“{name}”，而它只能由流程的动作改变（owns）。请去掉其中之一。',
    'State “{state}” opens “{name}”, which only effects of the flow may change (owns). Remove one of them.',
  ],
  'flow.fault.ownsTwice': [
    '字段只能由另一流程改变：{name}。请从 owns 和动作中去掉它，或先改另一流程。',
    'A field is owned by another flow: {name}. Take it out of owns and effects, or change that flow first.',
  ],
  'flow.fault.ownsDropped': [
    '保存后“{name}”不再由这个流程独占，可以直接修改。',
    'After the save “{name}” is no longer owned by this flow: it can be edited directly.',
  ],
  'flow.fault.role': [
    '状态“{state}”的事件“{event}”用到的角色“{name}”在本校不存在。',
    'Event “{event}” of state “{state}” names the role “{name}”, which this school does not have.',
  ],
  'flow.fault.person': [
    '状态“{state}”的事件“{event}”所指的字段“{name}”不是关联字段，认不出人或部门。',
    'Event “{event}” of state “{state}” reads the field “{name}”, which is no relation and names nobody.',
  ],
  'flow.fault.document': [
    '状态“{state}”的事件“{event}”要签发的文件“{name}”没有定义。请在 documents 中写明它的标题和段落。',
    'Event “{event}” of state “{state}” issues the document “{name}”, which is not defined. Add its title and paragraphs to documents.',
  ],
  'flow.fault.template': [
    '状态“{state}”的事件“{event}”用到的通知模板“{name}”不存在。请用 NOTICE 或 REMIND，或在“短信模板”中新建并启用。',
    'Event “{event}” of state “{state}” names the template “{name}”, which does not exist. Use NOTICE or REMIND, or add one to the SMS templates.',
  ],
  'flow.notice.title': ['{entity}：{event}', '{entity}: {event}'],
  'flow.notice.content': [
    '“{title}”：{by} “{event}”，现为“{state}”。',
    '“{title}”: {event}, by {by}. It is now “{state}”.',
  ],
  'flow.notice.school': ['学校', 'the school'],
  'flow.remind.title': ['请办理：{entity}', '{entity} waits for you'],
  'flow.remind.content': [
    '{by} 请您办理“{title}”，现为“{state}”。',
    '{by} asks you to decide on “{title}”. It is now “{state}”.',
  ],
  'flow.act.transfer': ['转办', 'handed over to'],
  'flow.act.before': ['前加签', 'added before'],
  'flow.act.after': ['后加签', 'added after'],
  'flow.act.beside': ['并加签', 'added beside'],
  'flow.act.move': ['按新流程继续', 'moved to the changed flow'],
  'flow.told.transfer.title': ['转给您办理：{entity}', '{entity}: handed over to you'],
  'flow.told.transfer.content': [
    '{by} 将“{title}”转给您办理，现为“{state}”。',
    '{by} has handed “{title}” over to you. It is now “{state}”.',
  ],
  'flow.told.add.title': ['请您会签：{entity}', '{entity}: your consent is asked'],
  'flow.told.add.content': [
    '{by} 请您会签“{title}”，现为“{state}”。',
    '{by} asks for your consent to “{title}”. It is now “{state}”.',
  ],
  'flow.told.copy.title': ['抄送您：{entity}', '{entity}: a copy for you'],
  'flow.told.copy.content': [
    '{by} 将“{title}”抄送给您，现为“{state}”。在“待办”的“抄送我”中查看。',
    '{by} sends you a copy of “{title}”. It is now “{state}”. Read it in the copies of your to-dos.',
  ],
  'flow.told.delegate.title': ['委托您办理', 'You are a substitute'],
  'flow.told.delegate.content': [
    '{by} 委托您从 {from} 到 {until} 代为办理流程。',
    '{by} has made you their substitute in flows from {from} until {until}.',
  ],
  'flow.proof.title': ['流程需要修改：{entity}', '{entity}: the flow needs a change'],
  'flow.proof.content': [
    '角色、人员或流程有变动，重新检查后发现：{reason}',
    'A role, a person or the flow has changed. Checked again: {reason}',
  ],
  'flow.hand.nobody': [
    '找不到这个人，或其账号已停用。请另选一位本校的在用人员。',
    'There is no such person who can sign in. Choose another of the school.',
  ],
  'flow.hand.noOffice': [
    '没有岗位“{name}”，或没有人担任。请另选。',
    'There is no office “{name}”, or nobody holds it. Choose another.',
  ],
  'flow.hand.unseen': [
    '{name} 无权查看这条记录，不能交其办理。请另选一人，或先请管理员授权。',
    '{name} may not view this record, so it cannot be given to them. Choose another person, or ask an administrator for the right.',
  ],
  'flow.hand.notYours': [
    '这一步没有等您办理（现为“{state}”），不能转办或加签。',
    'No step waits for you in “{state}”, so there is nothing to hand over or to add somebody to.',
  ],
  'flow.hand.notAsked': [
    '这一步没有等您办理（现为“{state}”）。',
    'The step “{state}” does not wait for you.',
  ],
  'flow.hand.noCopy': [
    '只有申请人和办理人可以抄送，且流程须允许。',
    'Only the applicant and deciders send copies, where the flow allows it.',
  ],
  'flow.hand.several': [
    '有几步等您办理，请用 path 指明：{names}。',
    'Several steps wait for you: name one as path, of {names}.',
  ],
  'flow.hand.notAllowed': [
    '流程不允许在“{state}”这样做。请联系流程的设计者。',
    'The flow does not allow this in “{state}”. Ask its designer.',
  ],
  'flow.hand.applicant': [
    '{name} 是申请人，不能办理自己的申请。请另选一人。',
    '{name} is the applicant and may not decide on their own case. Choose another person.',
  ],
  'flow.hand.self': ['不能选自己。请另选一人。', 'Choose another person than yourself.'],
  'flow.hand.barred': [
    '{name} 已在这个流程中办理过，不能再办理这一步。请另选一人。',
    '{name} has decided in this case already, and may not in this step. Choose another person.',
  ],
  'flow.hand.alreadyAdded': [
    '{name} 已在这一步中。请另选。',
    '{name} is in this step already. Choose another.',
  ],
  'flow.hand.tooMany': [
    '已到上限，不能再加。请先办理或取消现有的。',
    'The limit is reached. Finish or end some first.',
  ],
  'flow.hand.daysOver': [
    '截止日期须不早于今天和开始日期。',
    'The last day is neither before the first nor over.',
  ],
  'flow.hand.tooLong': ['委托最长 {n} 天。', 'A period has at most {n} days.'],
  'flow.notice.timer': ['到期', 'Time is up'],
  'flow.notice.system': ['系统', 'the system'],
  'flow.noWorkday': [
    '工作日历里一年内没有工作日，算不出“{name}”的到期时间。请在“工作日历”中改正。',
    'The working calendar has no working day within a year, so “{name}” never ends. Correct it under Working calendar.',
  ],
  'flow.fault.calendar': [
    '状态“{state}”的期限“{event}”按工作日计，而“工作日历”中今天以后一天也没有填：节假日会算作工作日。',
    'The timer “{event}” of state “{state}” counts working days, but the working calendar has no day from today on: holidays count as worked.',
  ],
  'flow.fault.set': [
    '状态“{state}”的事件“{event}”要写的字段“{name}”不存在、不可写，或就是状态字段。',
    'Event “{event}” of state “{state}” sets “{name}”, which does not exist, is not written, or holds the state.',
  ],
  'flow.fault.relation': [
    '状态“{state}”的事件“{event}”要写的“{name}”不是关联字段或实体。',
    'Event “{event}” of state “{state}” writes to “{name}”, which is no relation and no entity.',
  ],
  'flow.fault.expression': [
    '状态“{state}”的事件“{event}”的表达式有误：{name}',
    'An expression of event “{event}” in state “{state}” is wrong: {name}',
  ],
  'flow.fault.reads': [
    '状态“{state}”的事件“{event}”的表达式读取“{name}”：只能读 row 的字段，至多一步关联。',
    'An expression of event “{event}” in state “{state}” reads “{name}”: only fields of row are read, at most one step into a relation.',
  ],
  'flow.fault.unreachable': [
    '没有办法到达状态“{state}”。',
    'Nothing leads to the state “{state}”.',
  ],
  'flow.fault.eventNever': [
    '状态“{state}”的事件“{event}”谁都不能发起。',
    'Nobody can ever send “{event}” in the state “{state}”.',
  ],
  'flow.fault.whenNever': [
    '状态“{state}”的事件“{event}”的条件没有任何记录满足：{name}',
    'No row meets the condition of “{event}” in the state “{state}”: {name}',
  ],
  'flow.fault.noEnd': [
    '到了状态“{state}”就再也结束不了：{path}',
    'From the state “{state}” no end can be reached: {path}',
  ],
  'flow.fault.selfDecision': [
    '申请人可以办理自己的申请（状态“{state}”，“{event}”）：{path}。请在该事件的办理人中勾选“不能是申请人或前面的办理人”（who 的 others）。',
    'The applicant can decide on their own case (state “{state}”, “{event}”): {path}. Tick “not the applicant, nor who decided before” among its deciders (others in who).',
  ],
  'flow.fault.sameDecider': [
    '应由两人办理的步骤可由同一人办理（状态“{state}”，“{event}”）：{path}。请在该事件的办理人中勾选“不能是申请人或前面的办理人”（who 的 others）。',
    'One person can decide where two are asked (state “{state}”, “{event}”): {path}. Tick “not the applicant, nor who decided before” among its deciders (others in who).',
  ],
  'flow.fault.noDecision': [
    '没有任何人同意就会生效（状态“{state}”，“{event}”）：{path}',
    'It takes effect without a decision (state “{state}”, “{event}”): {path}',
  ],
  'flow.fault.skippedRegion': [
    '会签“{name}”没有办完就会生效（状态“{state}”，“{event}”）：{path}',
    'It takes effect although “{name}” has not decided (state “{state}”, “{event}”): {path}',
  ],
  'flow.fault.timerLoop': [
    '期限互相循环，没有人办理也永远不停（状态“{state}”，“{event}”）：{path}',
    'Timers lead to each other for ever (state “{state}”, “{event}”): {path}',
  ],
  'flow.fault.nobody': [
    '本校没有人能办理状态“{state}”：{path}。请给所需角色安排人员。',
    'Nobody in this school can leave the state “{state}”: {path}. Give people the roles that it needs.',
  ],
  'flow.fault.absent': [
    '记录上没有填写办理人时，状态“{state}”没有人能办理：{path}。请把该字段设为必填，或加一条出路。',
    'Where the row names no decider, nobody can leave the state “{state}”: {path}. Require the field, or add another way.',
  ],
  'flow.fault.bounded': [
    '流程太大，没有走完全部情况：只检查了前 {name} 种。',
    'The flow is too large to walk all of it: the first {name} situations were checked.',
  ],
  'flow.fault.twoPersons': [
    '规则“两人办理”不成立（状态“{state}”，“{event}”）：{path}',
    'The rule “two persons” is broken (state “{state}”, “{event}”): {path}',
  ],
  'flow.fault.twoOffices': [
    '规则“两个部门的两人办理”不成立（状态“{state}”，“{event}”）：{path}',
    'The rule “two persons of two offices” is broken (state “{state}”, “{event}”): {path}',
  ],
  'flow.fault.reasons': [
    '规则“驳回须写理由”不成立：状态“{state}”的“{event}”没有把意见设为必填（note）。',
    'The rule “every refusal has a reason” is broken: “{event}” in the state “{state}” does not require a note.',
  ],
  'flow.fault.endsWithin': [
    '规则“{name} 个工作日内办结或升级”不成立：状态“{state}”没有期限，或期限之和超过它。',
    'The rule “ends within {name} working days or escalates” is broken: the state “{state}” has no timer, or the timers add up to more.',
  ],
  'flow.fault.noEffectWhen': [
    '规则“{name} 时不得生效”不成立（状态“{state}”，“{event}”）：{path}',
    'The rule “no effect when {name}” is broken (state “{state}”, “{event}”): {path}',
  ],
})
