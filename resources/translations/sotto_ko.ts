<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="ko" sourcelanguage="en">
<context>
    <name>AnswerView</name>
    <message>
        <source>Ask again</source>
        <translation>다시 묻기</translation>
    </message>
    <message>
        <source>Change the question</source>
        <translation>질문 고치기</translation>
    </message>
    <message>
        <source>What left this computer</source>
        <translation>이 컴퓨터에서 나간 것</translation>
    </message>
</context>
<context>
    <name>Attachments</name>
    <message>
        <source>Documents</source>
        <translation>문서</translation>
    </message>
</context>
<context>
    <name>Banner</name>
    <message>
        <source>Notice</source>
        <translation>알림</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>BudgetDialog</name>
    <message>
        <source>Raise the budget</source>
        <translation>예산 늘리기</translation>
    </message>
    <message>
        <source>What has left stays as it is. A larger budget lets more leave, and whoever gets it can guess better what the words were. It holds for this chat alone; the same text in another chat is drawn anew, and both add up.</source>
        <translation>이미 나간 것은 그대로입니다. 예산을 늘리면 더 많이 나가고, 그것을 받은 쪽은 어떤 낱말이었는지 더 잘 맞힐 수 있습니다. 이 대화에만 적용됩니다. 같은 글을 다른 대화에서 보내면 새로 뽑히며, 둘이 더해집니다.</translation>
    </message>
    <message>
        <source>New epsilon of each name or number</source>
        <translation>이름이나 번호 하나의 새 엡실론</translation>
    </message>
    <message>
        <source>New epsilon of this chat</source>
        <translation>이 대화의 새 엡실론</translation>
    </message>
    <message>
        <source>at delta</source>
        <translation>델타</translation>
    </message>
    <message>
        <source>The budget&apos;s epsilon</source>
        <translation>예산의 엡실론 값</translation>
    </message>
    <message>
        <source>The budget&apos;s delta</source>
        <translation>예산의 델타 값</translation>
    </message>
    <message>
        <source>So much is spent already: nothing more could be sent. Write a larger number.</source>
        <translation>그만큼은 이미 썼으므로 더 보낼 수 없습니다. 더 큰 수를 적으세요.</translation>
    </message>
</context>
<context>
    <name>ChatActions</name>
    <message>
        <source>Rename …</source>
        <translation>이름 바꾸기 …</translation>
    </message>
    <message>
        <source>What left this computer …</source>
        <translation>이 컴퓨터에서 나간 것 …</translation>
    </message>
    <message>
        <source>Save as text …</source>
        <translation>텍스트로 저장 …</translation>
    </message>
    <message>
        <source>Print …</source>
        <translation>인쇄 …</translation>
    </message>
    <message>
        <source>Delete …</source>
        <translation>삭제 …</translation>
    </message>
    <message>
        <source>Delete chat</source>
        <translation>대화 삭제</translation>
    </message>
    <message>
        <source>Delete this chat for good?</source>
        <translation>이 대화를 영구히 삭제할까요?</translation>
    </message>
    <message>
        <source>Its questions, answers, documents and stand-ins are deleted from this computer. That cannot be undone.</source>
        <translation>질문과 답변, 문서, 대체어가 이 컴퓨터에서 삭제됩니다. 되돌릴 수 없습니다.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>삭제</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>chat</source>
        <translation>대화</translation>
    </message>
    <message>
        <source>Text (*.md *.txt)</source>
        <translation>텍스트 (*.md *.txt)</translation>
    </message>
    <message>
        <source>Marked: {kind}</source>
        <translation>표시한 말: {kind}</translation>
    </message>
    <message>
        <source>Never replace</source>
        <translation>바꾸지 않기</translation>
    </message>
</context>
<context>
    <name>ChatPage</name>
    <message>
        <source>The answer is complete.</source>
        <translation>답변이 끝났습니다.</translation>
    </message>
    <message>
        <source>Replace names and numbers</source>
        <translation>이름·번호를 대체어로 보내기</translation>
    </message>
    <message>
        <source>Replace names and numbers from the next question on?</source>
        <translation>다음 질문부터 이름·번호를 대체어로 보낼까요?</translation>
    </message>
    <message>
        <source>The chat goes on in a new branch, whose history is sent again with stand-ins. What has already left as it was written cannot be called back, and whoever got both can link them.</source>
        <translation>대화는 새 갈래로 이어지고, 지난 내용은 대체어로 다시 보냅니다. 이미 쓰인 그대로 나간 것은 되찾을 수 없으며, 둘 다 받은 쪽은 서로 이어 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Replace them</source>
        <translation>대체어로 보내기</translation>
    </message>
    <message>
        <source>Leave it off</source>
        <translation>끈 채로 두기</translation>
    </message>
    <message>
        <source>Stop replacing</source>
        <translation>바꾸기 중지</translation>
    </message>
    <message>
        <source>Let names and numbers leave as they are written?</source>
        <translation>이름과 번호를 쓰인 그대로 내보낼까요?</translation>
    </message>
    <message>
        <source>From the next question on, everything in this chat leaves as it is written. The chat goes on in a new branch, whose history is sent again with the real names: whoever got the stand-ins before can then link them to the real names.</source>
        <translation>다음 질문부터 이 대화의 모든 내용이 쓰인 그대로 나갑니다. 대화는 새 갈래로 이어지고, 지난 내용은 실제 이름으로 다시 보냅니다. 앞서 대체어를 받은 쪽은 그것을 실제 이름과 이어 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>Keep replacing</source>
        <translation>계속 바꾸기</translation>
    </message>
</context>
<context>
    <name>Chats</name>
    <message>
        <source>Something went wrong inside Sotto and the answer ended. Your text is kept; ask again.</source>
        <translation>Sotto 내부에 문제가 생겨 답변이 끝났습니다. 입력한 글은 그대로 있으니 다시 물어보세요.</translation>
    </message>
    <message>
        <source>The window was closed.</source>
        <translation>창이 닫혔습니다.</translation>
    </message>
    <message>
        <source>Something went wrong inside Sotto, so nothing was sent. Send the question once more.</source>
        <translation>Sotto 내부에 문제가 생겨 아무것도 보내지 않았습니다. 질문을 다시 보내세요.</translation>
    </message>
</context>
<context>
    <name>Chip</name>
    <message>
        <source>Reading …</source>
        <translation>읽는 중 …</translation>
    </message>
    <message>
        <source>Remove this document</source>
        <translation>이 문서 빼기</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>{name} 빼기</translation>
    </message>
</context>
<context>
    <name>CodeView</name>
    <message>
        <source>code</source>
        <translation>코드</translation>
    </message>
    <message>
        <source>Copy this code</source>
        <translation>이 코드 복사</translation>
    </message>
    <message>
        <source>Code</source>
        <translation>코드</translation>
    </message>
</context>
<context>
    <name>Composer</name>
    <message>
        <source>Attach documents (Ctrl+O)</source>
        <translation>문서 첨부 (Ctrl+O)</translation>
    </message>
    <message>
        <source>Attach documents</source>
        <translation>문서 첨부</translation>
    </message>
    <message>
        <source>Send (Enter)</source>
        <translation>보내기 (Enter)</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>보내기</translation>
    </message>
    <message>
        <source>Esc stops the answer</source>
        <translation>Esc를 누르면 답변이 멈춥니다</translation>
    </message>
    <message>
        <source>A document is still being read</source>
        <translation>문서를 아직 읽고 있습니다</translation>
    </message>
    <message>
        <source>Type a question about the document</source>
        <translation>문서에 대한 질문을 입력하세요</translation>
    </message>
    <message>
        <source>Type a question to send</source>
        <translation>질문을 입력하면 보낼 수 있습니다</translation>
    </message>
    <message>
        <source>Enter sends · Shift+Enter new line</source>
        <translation>Enter 보내기 · Shift+Enter 줄 바꿈</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>중지</translation>
    </message>
    <message>
        <source>Stop (Esc)</source>
        <translation>중지 (Esc)</translation>
    </message>
</context>
<context>
    <name>ConversationList</name>
    <message>
        <source>Past chats</source>
        <translation>지난 대화</translation>
    </message>
    <message>
        <source>Your chats will be listed here.</source>
        <translation>대화가 여기에 나열됩니다.</translation>
    </message>
    <message>
        <source>Chats are not kept at the moment.</source>
        <translation>지금은 대화를 보관하지 않습니다.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>이름 바꾸기</translation>
    </message>
    <message>
        <source>Delete …</source>
        <translation>삭제 …</translation>
    </message>
</context>
<context>
    <name>CopyButton</name>
    <message>
        <source>Copy</source>
        <translation>복사</translation>
    </message>
</context>
<context>
    <name>DocumentButton</name>
    <message>
        <source>Read this document</source>
        <translation>이 문서 읽기</translation>
    </message>
    <message>
        <source>Read {name}</source>
        <translation>{name} 읽기</translation>
    </message>
</context>
<context>
    <name>DocumentReading</name>
    <message>
        <source>Attach documents</source>
        <translation>문서 첨부</translation>
    </message>
    <message>
        <source>Documents (*.txt *.md *.pdf *.docx)</source>
        <translation>문서 (*.txt *.md *.pdf *.docx)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>모든 파일 (*)</translation>
    </message>
    <message>
        <source>This document could not be read. Remove it, or try it again.</source>
        <translation>이 문서를 읽지 못했습니다. 빼거나 다시 시도하세요.</translation>
    </message>
</context>
<context>
    <name>DocumentView</name>
    <message>
        <source>Select words and press Ctrl+Shift+R to have them always replaced, Ctrl+Shift+K never.</source>
        <translation>말을 선택하고 Ctrl+Shift+R을 누르면 항상 바꾸고, Ctrl+Shift+K를 누르면 바꾸지 않습니다.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>DropVeil</name>
    <message>
        <source>Drop documents to ask about them</source>
        <translation>질문할 문서를 여기에 놓으세요</translation>
    </message>
</context>
<context>
    <name>EntryModel</name>
    <message>
        <source>Chat without a title</source>
        <translation>제목 없는 대화</translation>
    </message>
    <message>
        <source>its answer is coming</source>
        <translation>답변이 오는 중</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>Round trip {number} ms</source>
        <translation>왕복 {number} ms</translation>
    </message>
    <message>
        <source>1 page</source>
        <translation>1쪽</translation>
    </message>
    <message>
        <source>{count} pages</source>
        <translation>{count}쪽</translation>
    </message>
    <message>
        <source>1 character</source>
        <translation>1자</translation>
    </message>
    <message>
        <source>{count} characters</source>
        <translation>{count}자</translation>
    </message>
    <message>
        <source>Starting the engine …</source>
        <translation>엔진을 시작하는 중 …</translation>
    </message>
    <message>
        <source>Preparing the model …</source>
        <translation>모델을 준비하는 중 …</translation>
    </message>
    <message>
        <source>Reaching the agent …</source>
        <translation>에이전트에 연결하는 중 …</translation>
    </message>
    <message>
        <source>Looking for names …</source>
        <translation>이름을 찾는 중 …</translation>
    </message>
    <message>
        <source>Reading the question …</source>
        <translation>질문을 읽는 중 …</translation>
    </message>
    <message>
        <source>Only here: all layers run on this computer</source>
        <translation>여기서만: 모든 레이어가 이 컴퓨터에서 실행됩니다</translation>
    </message>
    <message>
        <source>Agent: not started yet</source>
        <translation>에이전트: 아직 시작하지 않음</translation>
    </message>
    <message>
        <source>Agent: not connected</source>
        <translation>에이전트: 연결되지 않음</translation>
    </message>
    <message>
        <source>Agent: on this computer</source>
        <translation>에이전트: 이 컴퓨터</translation>
    </message>
    <message>
        <source>Agent: {address}</source>
        <translation>에이전트: {address}</translation>
    </message>
    <message>
        <source>remote</source>
        <translation>원격</translation>
    </message>
    <message>
        <source>the agent on this computer</source>
        <translation>이 컴퓨터의 에이전트</translation>
    </message>
    <message>
        <source>nobody</source>
        <translation>없음</translation>
    </message>
    <message>
        <source>{number} tokens/s</source>
        <translation>{number} 토큰/초</translation>
    </message>
    <message>
        <source>{number} tokens/step</source>
        <translation>{number} 토큰/단계</translation>
    </message>
    <message>
        <source>{count} tokens</source>
        <translation>{count}토큰</translation>
    </message>
    <message>
        <source>All layers ran on this computer.</source>
        <translation>모든 레이어가 이 컴퓨터에서 실행되었습니다.</translation>
    </message>
    <message>
        <source>The first {head} and the last {tail} layers ran on this computer, {middle} at the agent.</source>
        <translation>앞 {head}개와 뒤 {tail}개 레이어는 이 컴퓨터에서, {middle}개는 에이전트에서 실행되었습니다.</translation>
    </message>
    <message>
        <source>Padding: {bytes} of {all}, and {seconds} s after the end of the answer.</source>
        <translation>덧붙인 양: {all} 가운데 {bytes}, 답변이 끝난 뒤 {seconds}초.</translation>
    </message>
    <message>
        <source>Names and numbers that were found leave as stand-ins; what was not found is not replaced.</source>
        <translation>찾아낸 이름과 번호는 대체어로 나가고, 찾지 못한 것은 바뀌지 않습니다.</translation>
    </message>
    <message>
        <source>Names and numbers leave as they are written.</source>
        <translation>이름과 번호는 쓰인 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>Nothing of this chat is written to disk.</source>
        <translation>이 대화는 디스크에 전혀 기록하지 않습니다.</translation>
    </message>
    <message>
        <source>Names and numbers that were found, and words that you marked, leave under strict noise. Whoever runs the agent can read everything else, and the answer.</source>
        <translation>찾은 이름과 번호, 직접 표시한 낱말은 엄격한 잡음을 더해 나갑니다. 나머지 글과 답변은 에이전트를 운영하는 쪽이 모두 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>Every word leaves as a noisy code; but whoever has this model can work out most of the text where answers are still right. The settings say how much was recovered.</source>
        <translation>모든 낱말이 잡음 섞인 코드로 나갑니다. 그러나 답변이 아직 맞을 정도의 잡음이라면 이 모델을 가진 쪽이 글을 대부분 알아낼 수 있습니다. 얼마나 복원되었는지는 설정에 나옵니다.</translation>
    </message>
    <message>
        <source>The agent can read the answer.</source>
        <translation>에이전트는 답변을 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>Only here: every layer runs on this computer and nothing is sent.</source>
        <translation>여기서만: 모든 레이어가 이 컴퓨터에서 실행되며 아무것도 보내지 않습니다.</translation>
    </message>
    <message>
        <source>The agent gets numbers, not your text; but whoever has this model&apos;s public weights can work the text out from them. The split alone does not protect it.</source>
        <translation>에이전트는 글이 아니라 숫자를 받습니다. 그러나 이 모델의 공개 가중치를 가진 사람은 그 숫자로 글을 알아낼 수 있습니다. 분할만으로는 글이 보호되지 않습니다.</translation>
    </message>
    <message>
        <source>No agent is connected at the moment. One gets numbers, not your text; but whoever has this model&apos;s public weights can work the text out from them. The split alone does not protect it.</source>
        <translation>지금은 연결된 에이전트가 없습니다. 에이전트는 글이 아니라 숫자를 받지만, 이 모델의 공개 가중치를 가진 사람은 그 숫자로 글을 알아낼 수 있습니다. 분할만으로는 글이 보호되지 않습니다.</translation>
    </message>
    <message>
        <source>No agent is paired, so one runs on this computer. A remote one would get numbers, not your text; but whoever has this model&apos;s public weights can work the text out from them. The split alone does not protect it.</source>
        <translation>연결된 에이전트가 없어 이 컴퓨터에서 하나를 실행합니다. 원격 에이전트라면 글이 아니라 숫자를 받지만, 이 모델의 공개 가중치를 가진 사람은 그 숫자로 글을 알아낼 수 있습니다. 분할만으로는 글이 보호되지 않습니다.</translation>
    </message>
</context>
<context>
    <name>Foot</name>
    <message>
        <source>Copy the answer</source>
        <translation>답변 복사</translation>
    </message>
</context>
<context>
    <name>Header</name>
    <message>
        <source>Unlock …</source>
        <translation>잠금 풀기 …</translation>
    </message>
    <message>
        <source>Past chats</source>
        <translation>지난 대화</translation>
    </message>
    <message>
        <source>Show or hide past chats (Ctrl+B)</source>
        <translation>지난 대화 보이기·숨기기 (Ctrl+B)</translation>
    </message>
    <message>
        <source>New chat</source>
        <translation>새 대화</translation>
    </message>
    <message>
        <source>New chat (Ctrl+N)</source>
        <translation>새 대화 (Ctrl+N)</translation>
    </message>
    <message>
        <source>New incognito chat</source>
        <translation>새 시크릿 대화</translation>
    </message>
    <message>
        <source>New incognito chat: nothing of it is written to disk (Ctrl+Shift+N)</source>
        <translation>새 시크릿 대화: 디스크에 전혀 기록하지 않습니다 (Ctrl+Shift+N)</translation>
    </message>
    <message>
        <source>This chat</source>
        <translation>이 대화</translation>
    </message>
    <message>
        <source>Rename, save or delete this chat, and what left this computer</source>
        <translation>이 대화의 이름 바꾸기, 저장, 삭제, 그리고 이 컴퓨터에서 나간 것</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Settings (Ctrl+,)</source>
        <translation>설정 (Ctrl+,)</translation>
    </message>
    <message>
        <source>{layers} layers, at most {context} tokens of context</source>
        <translation>레이어 {layers}개, 문맥 최대 {context}토큰</translation>
    </message>
    <message>
        <source>Incognito</source>
        <translation>시크릿</translation>
    </message>
    <message>
        <source>Nothing of this chat is written to disk. It is gone when you leave it.</source>
        <translation>이 대화는 디스크에 전혀 기록하지 않습니다. 대화를 떠나면 사라집니다.</translation>
    </message>
    <message>
        <source>Nothing is kept</source>
        <translation>보관하지 않음</translation>
    </message>
    <message>
        <source>Chats cannot be kept at the moment: every chat is gone when you leave it.</source>
        <translation>지금은 대화를 보관할 수 없습니다. 모든 대화는 떠나면 사라집니다.</translation>
    </message>
</context>
<context>
    <name>KindDelegate</name>
    <message>
        <source>Kind</source>
        <translation>종류</translation>
    </message>
</context>
<context>
    <name>Kinds</name>
    <message>
        <source>Person</source>
        <translation>사람</translation>
    </message>
    <message>
        <source>Organisation</source>
        <translation>기관·단체</translation>
    </message>
    <message>
        <source>Address</source>
        <translation>주소</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>장소</translation>
    </message>
    <message>
        <source>Date</source>
        <translation>날짜</translation>
    </message>
    <message>
        <source>Phone number</source>
        <translation>전화번호</translation>
    </message>
    <message>
        <source>E-mail address</source>
        <translation>이메일 주소</translation>
    </message>
    <message>
        <source>National or tax number</source>
        <translation>주민·납세 번호</translation>
    </message>
    <message>
        <source>Passport or licence</source>
        <translation>여권·면허증</translation>
    </message>
    <message>
        <source>Card number</source>
        <translation>카드 번호</translation>
    </message>
    <message>
        <source>Bank account</source>
        <translation>은행 계좌</translation>
    </message>
    <message>
        <source>Record or invoice number</source>
        <translation>기록·청구 번호</translation>
    </message>
    <message>
        <source>Number plate</source>
        <translation>차량 번호</translation>
    </message>
    <message>
        <source>Web address or user name</source>
        <translation>웹 주소·사용자 이름</translation>
    </message>
    <message>
        <source>Computer address</source>
        <translation>컴퓨터 주소</translation>
    </message>
    <message>
        <source>Key or password</source>
        <translation>키·비밀번호</translation>
    </message>
    <message>
        <source>Other</source>
        <translation>기타</translation>
    </message>
</context>
<context>
    <name>Links</name>
    <message>
        <source>Open link</source>
        <translation>링크 열기</translation>
    </message>
    <message>
        <source>Open this link in your browser?</source>
        <translation>이 링크를 브라우저에서 열까요?</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>열기</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
</context>
<context>
    <name>ListsDialog</name>
    <message>
        <source>My lists</source>
        <translation>내 목록</translation>
    </message>
    <message>
        <source>{count} values are on the list “{name}”.</source>
        <translation>“{name}” 목록에 {count}개가 있습니다.</translation>
    </message>
    <message>
        <source>{left_out} entries of the file were left out: they are too long, a single letter, a count or a common word.</source>
        <translation>파일의 항목 {left_out}개는 뺐습니다. 너무 길거나, 한 글자이거나, 숫자이거나, 흔한 낱말입니다.</translation>
    </message>
    <message>
        <source>Lists</source>
        <translation>목록</translation>
    </message>
    <message>
        <source>Values of the list</source>
        <translation>목록의 값</translation>
    </message>
    <message>
        <source>Never replace these</source>
        <translation>바꾸지 않을 말</translation>
    </message>
    <message>
        <source>What is on the list</source>
        <translation>목록의 내용</translation>
    </message>
    <message>
        <source>Another value</source>
        <translation>추가할 값</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>거르기</translation>
    </message>
    <message>
        <source>New list …</source>
        <translation>새 목록 …</translation>
    </message>
    <message>
        <source>Import …</source>
        <translation>가져오기 …</translation>
    </message>
    <message>
        <source>A text or CSV file with one value on each line</source>
        <translation>한 줄에 값이 하나씩 있는 텍스트 또는 CSV 파일</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>추가</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>빼기</translation>
    </message>
    <message>
        <source>Delete list …</source>
        <translation>목록 삭제 …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
    <message>
        <source>What is on a list is replaced in every chat, or never, as the list says.</source>
        <translation>목록에 있는 것은 모든 대화에서 바뀌거나, 목록에 따라 바뀌지 않습니다.</translation>
    </message>
    <message>
        <source>On this list are</source>
        <translation>이 목록의 종류</translation>
    </message>
    <message>
        <source>New list</source>
        <translation>새 목록</translation>
    </message>
    <message>
        <source>Name of the list</source>
        <translation>목록 이름</translation>
    </message>
    <message>
        <source>Delete list</source>
        <translation>목록 삭제</translation>
    </message>
    <message>
        <source>Delete the list “{name}”?</source>
        <translation>“{name}” 목록을 삭제할까요?</translation>
    </message>
    <message>
        <source>What is on it is not replaced any more unless it is found otherwise.</source>
        <translation>목록에 있던 것은 달리 찾아내지 않는 한 더는 바뀌지 않습니다.</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>삭제</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Import a list</source>
        <translation>목록 가져오기</translation>
    </message>
    <message>
        <source>Text and CSV (*.txt *.csv)</source>
        <translation>텍스트와 CSV (*.txt *.csv)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>모든 파일 (*)</translation>
    </message>
</context>
<context>
    <name>MainWindow</name>
    <message>
        <source>Copied with the real names.</source>
        <translation>실제 이름으로 복사했습니다.</translation>
    </message>
    <message>
        <source>Start new chat</source>
        <translation>새 대화 시작</translation>
    </message>
    <message>
        <source>Open the other chat</source>
        <translation>다른 대화 열기</translation>
    </message>
    <message>
        <source>Incognito chat</source>
        <translation>시크릿 대화</translation>
    </message>
    <message>
        <source>Leave this chat?</source>
        <translation>이 대화를 떠날까요?</translation>
    </message>
    <message>
        <source>Nothing of it has been kept: it will be gone.</source>
        <translation>보관한 것이 없어 사라집니다.</translation>
    </message>
    <message>
        <source>Stay here</source>
        <translation>그대로 있기</translation>
    </message>
    <message>
        <source>Close Sotto</source>
        <translation>Sotto 닫기</translation>
    </message>
    <message>
        <source>Close Sotto?</source>
        <translation>Sotto를 닫을까요?</translation>
    </message>
    <message>
        <source>Nothing of this chat has been kept: it will be gone.</source>
        <translation>이 대화는 보관하지 않아 사라집니다.</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>Marking</name>
    <message>
        <source>So have {count} other words.</source>
        <translation>다른 말 {count}개도 그렇습니다.</translation>
    </message>
    <message>
        <source>In all chats in which replacing is on, “{words}” is replaced from the next question on.</source>
        <translation>바꾸기가 켜진 모든 대화에서 “{words}”은(는) 다음 질문부터 대체어로 나갑니다.</translation>
    </message>
    <message>
        <source>In this chat “{words}” is replaced from the next question on.</source>
        <translation>이 대화에서 “{words}”은(는) 다음 질문부터 대체어로 나갑니다.</translation>
    </message>
    <message>
        <source>In all chats “{words}” leaves as it is written from the next question on.</source>
        <translation>모든 대화에서 “{words}”은(는) 다음 질문부터 쓰인 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>In this chat “{words}” leaves as it is written from the next question on.</source>
        <translation>이 대화에서 “{words}”은(는) 다음 질문부터 쓰인 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>But replacing is off in this chat: until you switch it on, everything leaves as it is written.</source>
        <translation>그러나 이 대화에서는 바꾸기가 꺼져 있습니다. 켤 때까지 모든 것이 쓰인 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>In this chat stand-ins for {values} have been sent already. With the next question the history is sent again with the real words: whoever got both can link them.</source>
        <translation>이 대화에서는 이미 {values}의 대체어를 보냈습니다. 다음 질문을 보낼 때 지난 내용도 실제 말로 다시 보내므로, 둘 다 받은 쪽은 서로 이어 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>The agent on this computer already got “{value}” in one message; it went no further.</source>
        <translation>이 컴퓨터의 에이전트가 메시지 하나에서 “{value}”을(를) 이미 받았습니다. 그 밖으로는 나가지 않았습니다.</translation>
    </message>
    <message>
        <source>The agent on this computer already got “{value}” in {count} messages; it went no further.</source>
        <translation>이 컴퓨터의 에이전트가 메시지 {count}개에서 “{value}”을(를) 이미 받았습니다. 그 밖으로는 나가지 않았습니다.</translation>
    </message>
    <message>
        <source>“{value}” has already left in one message, to {peer}, and cannot be called back.</source>
        <translation>“{value}”은(는) 메시지 하나에 담겨 {peer}(으)로 이미 나갔으며 되찾을 수 없습니다.</translation>
    </message>
    <message>
        <source>“{value}” has already left in {count} messages, to {peer}, and cannot be called back.</source>
        <translation>“{value}”은(는) 메시지 {count}개에 담겨 {peer}(으)로 이미 나갔으며 되찾을 수 없습니다.</translation>
    </message>
</context>
<context>
    <name>MarkingActions</name>
    <message>
        <source>Always replace this …</source>
        <translation>항상 바꾸기 …</translation>
    </message>
    <message>
        <source>Never replace this …</source>
        <translation>바꾸지 않기 …</translation>
    </message>
</context>
<context>
    <name>MarkingDialog</name>
    <message>
        <source>Always replace</source>
        <translation>항상 바꾸기</translation>
    </message>
    <message>
        <source>Never replace</source>
        <translation>바꾸지 않기</translation>
    </message>
    <message>
        <source>From the next question on it leaves as a stand-in and comes back where the answer uses it.</source>
        <translation>다음 질문부터 대체어로 나가고, 답변에 그 대체어가 나오면 본래 말로 되돌립니다.</translation>
    </message>
    <message>
        <source>From the next question on it leaves as it is written.</source>
        <translation>다음 질문부터 쓰인 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>종류</translation>
    </message>
    <message>
        <source>In all chats: put it on my list</source>
        <translation>모든 대화에서: 내 목록에 넣기</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Holds in this chat and in all others, until you take it off your list.</source>
        <translation>이 대화와 다른 모든 대화에서, 목록에서 뺄 때까지 적용됩니다.</translation>
    </message>
    <message>
        <source>Without the tick it holds in this chat only. In any other chat it is replaced only if Sotto finds it there by itself.</source>
        <translation>체크하지 않으면 이 대화에서만 적용됩니다. 다른 대화에서는 Sotto가 스스로 찾아낼 때만 바뀝니다.</translation>
    </message>
    <message>
        <source>Without the tick it holds in this chat only. In any other chat it is replaced as before.</source>
        <translation>체크하지 않으면 이 대화에서만 적용됩니다. 다른 대화에서는 전처럼 바뀝니다.</translation>
    </message>
    <message>
        <source>In any other chat in which a stand-in for it has been sent, the history is sent again with the real words, too.</source>
        <translation>이 말의 대체어를 보낸 적이 있는 다른 대화에서도 지난 내용을 실제 말로 다시 보냅니다.</translation>
    </message>
</context>
<context>
    <name>Marks</name>
    <message>
        <source>{kind}: leaves as “{stand_in}”</source>
        <translation>{kind}: “{stand_in}”(으)로 나갑니다</translation>
    </message>
    <message>
        <source>{kind}: the model wrote “{stand_in}”</source>
        <translation>{kind}: 모델은 “{stand_in}”(이)라고 썼습니다</translation>
    </message>
    <message>
        <source>Doubtful: it may have meant something else. Check this word.</source>
        <translation>불확실함: 다른 뜻이었을 수 있습니다. 이 말을 확인하세요.</translation>
    </message>
</context>
<context>
    <name>MessageList</name>
    <message>
        <source>Conversation</source>
        <translation>대화</translation>
    </message>
    <message>
        <source>Jump to latest</source>
        <translation>맨 아래로</translation>
    </message>
    <message>
        <source>Go to the end and follow the answer</source>
        <translation>끝으로 가서 답변을 따라갑니다</translation>
    </message>
</context>
<context>
    <name>ModelChooser</name>
    <message>
        <source>Kind of model</source>
        <translation>모델 종류</translation>
    </message>
    <message>
        <source>Starter model (SmolLM2 135M)</source>
        <translation>기본 모델 (SmolLM2 135M)</translation>
    </message>
    <message>
        <source>GGUF file</source>
        <translation>GGUF 파일</translation>
    </message>
    <message>
        <source>Model folder</source>
        <translation>모델 폴더</translation>
    </message>
    <message>
        <source>Hugging Face Hub</source>
        <translation>Hugging Face Hub</translation>
    </message>
    <message>
        <source>Choose …</source>
        <translation>고르기 …</translation>
    </message>
    <message>
        <source>Choose a model, or take the starter model.</source>
        <translation>모델을 고르거나 기본 모델을 쓰세요.</translation>
    </message>
    <message>
        <source>There is no file of this name. Choose another one.</source>
        <translation>그런 이름의 파일이 없습니다. 다른 파일을 고르세요.</translation>
    </message>
    <message>
        <source>There is no folder of this name. Choose another one.</source>
        <translation>그런 이름의 폴더가 없습니다. 다른 폴더를 고르세요.</translation>
    </message>
    <message>
        <source>A Hub id looks like owner/name. Correct it, then save.</source>
        <translation>Hub ID는 소유자/이름 꼴입니다. 고친 뒤 저장하세요.</translation>
    </message>
    <message>
        <source>owner/name</source>
        <translation>소유자/이름</translation>
    </message>
    <message>
        <source>Path</source>
        <translation>경로</translation>
    </message>
    <message>
        <source>Hub id</source>
        <translation>Hub ID</translation>
    </message>
    <message>
        <source>Path of the model</source>
        <translation>모델 경로</translation>
    </message>
    <message>
        <source>Small and quick, good for a first try; larger models answer better.</source>
        <translation>작고 빨라서 처음 써 보기에 좋습니다. 더 큰 모델이 더 잘 답합니다.</translation>
    </message>
    <message>
        <source>It is downloaded from huggingface.co with your next question, and once only.</source>
        <translation>다음 질문 때 huggingface.co에서 한 번만 내려받습니다.</translation>
    </message>
    <message>
        <source>Llama-, Mistral-, Qwen- and Gemma-like models can be split.</source>
        <translation>Llama, Mistral, Qwen, Gemma 계열 모델을 나눌 수 있습니다.</translation>
    </message>
    <message>
        <source>Choose a model</source>
        <translation>모델 고르기</translation>
    </message>
    <message>
        <source>GGUF models (*.gguf)</source>
        <translation>GGUF 모델 (*.gguf)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>모든 파일 (*)</translation>
    </message>
</context>
<context>
    <name>Noise</name>
    <message>
        <source>as exact numbers (exact split)</source>
        <translation>정확한 숫자로 (정확 분할)</translation>
    </message>
    <message>
        <source>names and numbers under strict noise, the rest exact</source>
        <translation>이름과 번호는 엄격한 잡음, 나머지는 정확하게</translation>
    </message>
    <message>
        <source>all under noise</source>
        <translation>모두 잡음을 더해</translation>
    </message>
    <message>
        <source>No noise. Whoever runs the agent and has the model&apos;s public weights can work out nearly all of the words; replacing names and numbers is what protects them.</source>
        <translation>잡음이 없습니다. 에이전트를 운영하며 모델의 공개 가중치를 가진 쪽은 거의 모든 낱말을 알아낼 수 있습니다. 이름과 번호를 지켜 주는 것은 대체어입니다.</translation>
    </message>
    <message>
        <source>Whoever runs the agent can read every other word, and the answer. Names and numbers that are found, and words that you mark, are drawn anew by chance before they leave: other words take their place, and yours come back in the answer. That words are marked, how long they are and which are the same stays visible. No first layers run here then.</source>
        <translation>에이전트를 운영하는 쪽은 나머지 모든 낱말과 답변을 읽을 수 있습니다. 찾은 이름과 번호, 직접 표시한 낱말은 나가기 전에 무작위로 새로 뽑습니다. 다른 낱말이 그 자리에 들어가고, 답변에서는 원래 낱말로 돌아옵니다. 표시된 낱말이 있다는 것, 그 길이, 서로 같은 낱말이라는 것은 보입니다. 이때 앞쪽 레이어는 이 컴퓨터에서 실행되지 않습니다.</translation>
    </message>
    <message>
        <source>Every word leaves as a code with chance in it. With a model as small as this one, noise that leaves answers right hides little: whoever has the model works most of the text out again. How long texts are, when they leave and which codes are the same stays visible. No first layers run here then.</source>
        <translation>모든 낱말이 우연이 섞인 코드로 나갑니다. 이렇게 작은 모델에서는 답변이 맞을 정도의 잡음이 숨기는 것이 적습니다. 모델을 가진 쪽은 글을 대부분 다시 알아냅니다. 글의 길이, 나가는 때, 서로 같은 코드라는 것은 보입니다. 이때 앞쪽 레이어는 이 컴퓨터에서 실행되지 않습니다.</translation>
    </message>
    <message>
        <source>Our advice: where names and numbers are the secret, keep the exact split and have them replaced, or put strict noise on them. Where the whole text is, have every layer run on this computer. Noise on every word is for trying out: with the starter model no level both hides a text and leaves the answer.</source>
        <translation>권하는 방법: 이름과 번호가 비밀이라면 정확 분할을 쓰면서 대체어로 보내거나, 이름과 번호에 엄격한 잡음을 더하세요. 글 전체가 비밀이라면 모든 레이어를 이 컴퓨터에서 실행하세요. 모든 낱말에 잡음을 더하는 것은 시험용입니다. 기본 모델에서는 글을 숨기면서 답도 남기는 수준이 없습니다.</translation>
    </message>
    <message>
        <source>very strong</source>
        <translation>매우 강함</translation>
    </message>
    <message>
        <source>strong</source>
        <translation>강함</translation>
    </message>
    <message>
        <source>middling</source>
        <translation>중간</translation>
    </message>
    <message>
        <source>weak</source>
        <translation>약함</translation>
    </message>
    <message>
        <source>very weak</source>
        <translation>매우 약함</translation>
    </message>
    <message>
        <source>strictest</source>
        <translation>가장 엄격함</translation>
    </message>
    <message>
        <source>strict</source>
        <translation>엄격함</translation>
    </message>
    <message>
        <source>less strict</source>
        <translation>덜 엄격함</translation>
    </message>
    <message>
        <source>as for every other word</source>
        <translation>다른 낱말과 같게</translation>
    </message>
    <message>
        <source>Exact split</source>
        <translation>정확 분할</translation>
    </message>
    <message>
        <source>Strict words (mu {mu})</source>
        <translation>엄격한 낱말 (mu {mu})</translation>
    </message>
    <message>
        <source>Noise (mu {mu})</source>
        <translation>잡음 (mu {mu})</translation>
    </message>
    <message>
        <source>as good as always</source>
        <translation>거의 언제나</translation>
    </message>
    <message>
        <source>{percent} % of the time</source>
        <translation>{percent} % 의 확률로</translation>
    </message>
    <message>
        <source>1 time in {times}</source>
        <translation>{times}번에 한 번꼴로</translation>
    </message>
    <message>
        <source>A guess that was right once in a million may then be right {chance}, no matter how clever the attack.</source>
        <translation>백만 번에 한 번 맞던 추측이, 아무리 영리한 공격이라도 많아야 {chance} 맞습니다.</translation>
    </message>
    <message>
        <source>Exact rows have left in this chat, so its noise hides nothing: ε ∞.</source>
        <translation>이 대화에서 정확한 행이 나갔으므로 잡음이 숨기는 것이 없습니다: ε ∞.</translation>
    </message>
    <message>
        <source>Nothing spent yet of ε {budget} for each name or number (δ {delta}).</source>
        <translation>이름이나 번호마다 ε {budget} 중 아직 쓴 것이 없습니다 (δ {delta}).</translation>
    </message>
    <message>
        <source>Nothing spent yet of ε {budget} for this chat (δ {delta}).</source>
        <translation>이 대화의 ε {budget} 중 아직 쓴 것이 없습니다 (δ {delta}).</translation>
    </message>
    <message>
        <source>ε {epsilon} of {budget} spent for the most exposed name or number (δ {delta}), {tokens} tokens in all.</source>
        <translation>가장 많이 드러난 이름이나 번호에 ε {budget} 중 {epsilon} 사용 (δ {delta}), 모두 토큰 {tokens}개.</translation>
    </message>
    <message>
        <source>ε {epsilon} of {budget} spent (δ {delta}), {tokens} tokens.</source>
        <translation>ε {budget} 중 {epsilon} 사용 (δ {delta}), 토큰 {tokens}개.</translation>
    </message>
    <message>
        <source>By count: one token costs ε {epsilon}.</source>
        <translation>계산으로는 토큰 하나에 ε {epsilon} 이 듭니다.</translation>
    </message>
    <message>
        <source>The budget does not pay for one: nothing could be sent. Raise it, or choose stronger noise.</source>
        <translation>이 예산으로는 토큰 하나도 보낼 수 없습니다. 예산을 늘리거나 더 강한 잡음을 고르세요.</translation>
    </message>
    <message>
        <source>The budget pays for {tokens} tokens of each name or number.</source>
        <translation>이 예산이면 이름이나 번호 하나에 토큰 {tokens}개까지 됩니다.</translation>
    </message>
    <message>
        <source>The budget pays for about {tokens} tokens of this chat, history and documents included.</source>
        <translation>이 예산이면 이 대화에서 앞선 내용과 문서를 포함해 토큰 약 {tokens}개까지 됩니다.</translation>
    </message>
    <message>
        <source>This is the worst case of any vocabulary; what is charged may be less.</source>
        <translation>이것은 어떤 어휘에서든 최악인 경우이며, 실제로 차감되는 값은 더 작을 수 있습니다.</translation>
    </message>
    <message>
        <source>A guess at one of them that was right once in a million may then be right {chance}.</source>
        <translation>그중 하나를 백만 번에 한 번 맞히던 추측이 많아야 {chance} 맞습니다.</translation>
    </message>
    <message>
        <source>That bounds nothing: a guess at one of them may be right every time.</source>
        <translation>이 계산으로는 아무것도 보장되지 않습니다. 그중 하나에 대한 추측이 매번 맞을 수도 있습니다.</translation>
    </message>
    <message>
        <source>What attackers get back at mu {mu} is not measured yet. Do not take that for protection.</source>
        <translation>mu {mu} 에서 공격자가 무엇을 되찾는지는 아직 측정하지 않았습니다. 이것을 보호로 여기지 마세요.</translation>
    </message>
    <message>
        <source>Measured at mu {mu}: the best attack gets back {share} % of the noisy words ({guess} % by guessing).</source>
        <translation>mu {mu} 에서 측정: 가장 좋은 공격이 잡음 섞인 낱말의 {share} % 를 되찾습니다 (추측만으로는 {guess} %).</translation>
    </message>
    <message>
        <source>The answer&apos;s words are as without noise in {share} % of places ({guess} % with no question at all).</source>
        <translation>답변의 낱말은 {share} % 의 자리에서 잡음이 없을 때와 같습니다 (질문이 아예 없어도 {guess} %).</translation>
    </message>
    <message>
        <source>At mu {mu} itself nothing is measured.</source>
        <translation>mu {mu} 자체에서는 측정한 것이 없습니다.</translation>
    </message>
    <message>
        <source>Every word of an answer is charged as well, and answers suffer most from it.</source>
        <translation>답변의 모든 낱말에도 예산이 들고, 답변이 가장 크게 나빠집니다.</translation>
    </message>
    <message>
        <source>Answers go back exact, which costs nothing; but the agent can read them, and with them what they tell of the question.</source>
        <translation>답변은 정확하게 돌아가며 예산이 들지 않습니다. 그러나 에이전트는 답변을 읽을 수 있고, 답변에서 드러나는 질문의 내용도 알 수 있습니다.</translation>
    </message>
    <message>
        <source>{name} is empty. Write a number above 0.</source>
        <translation>{name}이 비어 있습니다. 0보다 큰 수를 적으세요.</translation>
    </message>
    <message>
        <source>{name} is no number. Write one above 0, 20 or 1e-6 for example.</source>
        <translation>{name}이 수가 아닙니다. 20이나 1e-6처럼 0보다 큰 수를 적으세요.</translation>
    </message>
    <message>
        <source>{name} must be above 0: at 0 or below nothing could be sent.</source>
        <translation>{name}은 0보다 커야 합니다. 0 이하에서는 아무것도 보낼 수 없습니다.</translation>
    </message>
    <message>
        <source>{name} cannot be infinite: that would allow everything. Write a number.</source>
        <translation>{name}은 무한일 수 없습니다. 모든 것을 허용하게 됩니다. 수를 적으세요.</translation>
    </message>
    <message>
        <source>{name} is larger than any chat could spend. Write a smaller number.</source>
        <translation>{name}이 어떤 대화도 쓸 수 없을 만큼 큽니다. 더 작은 수를 적으세요.</translation>
    </message>
    <message>
        <source>{name} is larger than one over the number of tokens: it would allow that one of them is told in clear. Write 1e-6 for example.</source>
        <translation>{name}이 1을 토큰 수로 나눈 것보다 큽니다. 토큰 하나가 그대로 알려져도 된다는 뜻이 됩니다. 예를 들어 1e-6을 적으세요.</translation>
    </message>
    <message>
        <source>{name} must lie between 0.0625 and 4,095.</source>
        <translation>{name}은 0.0625에서 4,095 사이여야 합니다.</translation>
    </message>
</context>
<context>
    <name>NoiseActions</name>
    <message>
        <source>Give up the noise</source>
        <translation>잡음 포기</translation>
    </message>
    <message>
        <source>Send exact numbers in this chat from now on?</source>
        <translation>이 대화에서 이제부터 정확한 숫자를 보낼까요?</translation>
    </message>
    <message>
        <source>That gives away everything that noise has hidden in this chat, for ever: its history is sent again as exact numbers, and its epsilon becomes infinite. To ask something without noise, begin a new chat instead.</source>
        <translation>지금까지 이 대화에서 잡음이 숨긴 것이 모두, 영원히 드러납니다. 앞선 내용이 정확한 숫자로 다시 나가고 엡실론은 무한이 됩니다. 잡음 없이 묻고 싶다면 대신 새 대화를 시작하세요.</translation>
    </message>
    <message>
        <source>Send exact numbers</source>
        <translation>정확한 숫자 보내기</translation>
    </message>
    <message>
        <source>Keep the noise</source>
        <translation>잡음 유지</translation>
    </message>
    <message>
        <source>This chat has sent exact numbers, from which its words can be worked out; no noise protects it any more. Your question comes along into the new chat, the history does not.</source>
        <translation>이 대화는 이미 정확한 숫자를 보냈고, 그 숫자로 낱말을 알아낼 수 있습니다. 이제 어떤 잡음도 이 대화를 보호하지 못합니다. 질문은 새 대화로 함께 가고, 앞선 내용은 가지 않습니다.</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>잡음</translation>
    </message>
    <message>
        <source>Begin a new chat with noise?</source>
        <translation>잡음을 더한 새 대화를 시작할까요?</translation>
    </message>
    <message>
        <source>New chat with my question</source>
        <translation>질문을 가지고 새 대화로</translation>
    </message>
    <message>
        <source>Stay here</source>
        <translation>그대로 있기</translation>
    </message>
    <message>
        <source>Incognito chat</source>
        <translation>시크릿 대화</translation>
    </message>
    <message>
        <source>Leave this chat?</source>
        <translation>이 대화를 떠날까요?</translation>
    </message>
    <message>
        <source>Nothing of it has been kept: it will be gone.</source>
        <translation>보관한 것이 없어 사라집니다.</translation>
    </message>
    <message>
        <source>Start new chat</source>
        <translation>새 대화 시작</translation>
    </message>
    <message>
        <source>Raise, and ask again</source>
        <translation>늘리고 다시 묻기</translation>
    </message>
    <message>
        <source>Raise</source>
        <translation>늘리기</translation>
    </message>
</context>
<context>
    <name>NoiseBar</name>
    <message>
        <source>How words leave in this chat</source>
        <translation>이 대화에서 낱말이 나가는 방식</translation>
    </message>
    <message>
        <source>Spent of the budget</source>
        <translation>예산 중 쓴 것</translation>
    </message>
    <message>
        <source>Raise the budget …</source>
        <translation>예산 늘리기 …</translation>
    </message>
    <message>
        <source>Noise begins in a new chat</source>
        <translation>잡음은 새 대화에서 시작합니다</translation>
    </message>
    <message>
        <source>Choose noise, before the first question of this chat</source>
        <translation>이 대화의 첫 질문 전에 잡음을 고릅니다</translation>
    </message>
    <message>
        <source>Nothing is sent.</source>
        <translation>아무것도 보내지 않습니다.</translation>
    </message>
    <message>
        <source>Words leave as exact numbers, for as long as this chat lives.</source>
        <translation>이 대화가 있는 동안 낱말은 정확한 숫자로 나갑니다.</translation>
    </message>
    <message>
        <source>Words leave as exact numbers. Noise can be chosen before the first question.</source>
        <translation>낱말이 정확한 숫자로 나갑니다. 첫 질문 전에 잡음을 고를 수 있습니다.</translation>
    </message>
    <message>
        <source>This chat keeps its noise for life; it can only be given up</source>
        <translation>이 대화의 잡음은 끝까지 유지되며 포기할 수만 있습니다</translation>
    </message>
    <message>
        <source>Choose other noise, before the first question of this chat</source>
        <translation>이 대화의 첫 질문 전에 다른 잡음을 고릅니다</translation>
    </message>
    <message>
        <source>Nothing is sent, so nothing is spent.</source>
        <translation>보내지 않으므로 쓰는 것도 없습니다.</translation>
    </message>
</context>
<context>
    <name>NoiseControls</name>
    <message>
        <source>Words leave</source>
        <translation>낱말이 나가는 방식</translation>
    </message>
    <message>
        <source>Noise of a word</source>
        <translation>낱말의 잡음</translation>
    </message>
    <message>
        <source>Noise of names and numbers</source>
        <translation>이름과 번호의 잡음</translation>
    </message>
    <message>
        <source>Answers go back</source>
        <translation>답변이 돌아가는 방식</translation>
    </message>
    <message>
        <source>exact: free, and the agent can read them</source>
        <translation>정확하게: 예산이 들지 않고, 에이전트가 읽을 수 있음</translation>
    </message>
    <message>
        <source>as codes: every word is charged</source>
        <translation>코드로: 낱말마다 예산이 듦</translation>
    </message>
    <message>
        <source>Epsilon</source>
        <translation>엡실론</translation>
    </message>
    <message>
        <source>Delta</source>
        <translation>델타</translation>
    </message>
    <message>
        <source>at delta</source>
        <translation>델타</translation>
    </message>
    <message>
        <source>The budget&apos;s epsilon</source>
        <translation>예산의 엡실론 값</translation>
    </message>
    <message>
        <source>The budget&apos;s delta</source>
        <translation>예산의 델타 값</translation>
    </message>
    <message>
        <source>Budget of each name or number, epsilon</source>
        <translation>이름이나 번호 하나의 예산, 엡실론</translation>
    </message>
    <message>
        <source>Budget of a chat, epsilon</source>
        <translation>대화 하나의 예산, 엡실론</translation>
    </message>
    <message>
        <source>Looking it up …</source>
        <translation>찾아보는 중 …</translation>
    </message>
</context>
<context>
    <name>NoiseDialog</name>
    <message>
        <source>How words leave</source>
        <translation>낱말이 나가는 방식</translation>
    </message>
    <message>
        <source>A chat keeps this for as long as it lives. The settings say what new chats begin with.</source>
        <translation>대화는 이것을 끝까지 유지합니다. 새 대화가 무엇으로 시작하는지는 설정에서 정합니다.</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>사용</translation>
    </message>
</context>
<context>
    <name>NoiseDialogs</name>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
</context>
<context>
    <name>Notice</name>
    <message>
        <source>Ask again</source>
        <translation>다시 묻기</translation>
    </message>
    <message>
        <source>Shorten it, or drop documents</source>
        <translation>줄이거나 문서 빼기</translation>
    </message>
    <message>
        <source>Ask in a new chat</source>
        <translation>새 대화에서 묻기</translation>
    </message>
    <message>
        <source>Raise the budget …</source>
        <translation>예산 늘리기 …</translation>
    </message>
    <message>
        <source>Stopped.</source>
        <translation>중지했습니다.</translation>
    </message>
    <message>
        <source>Stopped. What had come is kept.</source>
        <translation>중지했습니다. 나온 글은 그대로 둡니다.</translation>
    </message>
    <message>
        <source>Interrupted. What had come is kept.</source>
        <translation>중단되었습니다. 나온 글은 그대로 둡니다.</translation>
    </message>
    <message>
        <source>Ended at the limit for the length of an answer; the settings can raise it.</source>
        <translation>답변 길이 한도에서 끝났습니다. 설정에서 한도를 높일 수 있습니다.</translation>
    </message>
</context>
<context>
    <name>ProgressLine</name>
    <message>
        <source>Progress</source>
        <translation>진행</translation>
    </message>
</context>
<context>
    <name>ProseView</name>
    <message>
        <source>Text of the answer</source>
        <translation>답변 글</translation>
    </message>
</context>
<context>
    <name>ProtectionBar</name>
    <message>
        <source>Warning</source>
        <translation>경고</translation>
    </message>
    <message>
        <source>Replace names and numbers</source>
        <translation>이름·번호를 대체어로 보내기</translation>
    </message>
    <message>
        <source>My lists …</source>
        <translation>내 목록 …</translation>
    </message>
    <message>
        <source>Names, projects and customers that are always replaced, and words that never are</source>
        <translation>항상 바꿀 이름·과제·고객, 그리고 바꾸지 않을 말</translation>
    </message>
    <message>
        <source>What is found leaves under strict noise and comes back in the answer.</source>
        <translation>찾은 것은 엄격한 잡음을 더해 나가고 답변에서 되돌립니다.</translation>
    </message>
    <message>
        <source>What is found leaves as a stand-in and comes back in the answer.</source>
        <translation>찾아낸 것은 대체어로 나가고 답변에서 되돌립니다.</translation>
    </message>
    <message>
        <source>Off: everything leaves as it is written.</source>
        <translation>꺼짐: 모든 것이 쓰인 그대로 나갑니다.</translation>
    </message>
</context>
<context>
    <name>ProtectionControls</name>
    <message>
        <source>Replace names and numbers in new chats</source>
        <translation>새 대화에서 이름·번호를 대체어로 보내기</translation>
    </message>
    <message>
        <source>Show what is replaced before sending</source>
        <translation>보내기 전에 바뀔 것 보이기</translation>
    </message>
    <message>
        <source>before the first question of a chat</source>
        <translation>대화의 첫 질문 전에</translation>
    </message>
    <message>
        <source>before every question</source>
        <translation>질문마다</translation>
    </message>
    <message>
        <source>never</source>
        <translation>보이지 않음</translation>
    </message>
    <message>
        <source>My lists …</source>
        <translation>내 목록 …</translation>
    </message>
    <message>
        <source>Show what is replaced</source>
        <translation>바뀔 것 보이기</translation>
    </message>
    <message>
        <source>Always and never replaced</source>
        <translation>항상 바꿀 것과 바꾸지 않을 것</translation>
    </message>
    <message>
        <source>Not protected</source>
        <translation>보호되지 않는 것</translation>
    </message>
    <message>
        <source>Protected</source>
        <translation>보호되는 것</translation>
    </message>
</context>
<context>
    <name>ProtectionWords</name>
    <message>
        <source>Whoever can use this computer while your chats are open can read them.</source>
        <translation>대화가 열려 있는 동안 이 컴퓨터를 쓸 수 있는 사람은 대화를 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>What you write and attach, and the answers. Only rows of numbers are sent, no text, no files and no token numbers; but whoever runs the agent and has the model&apos;s public weights can work out nearly all of the words from them. More layers on this computer do not prevent that.</source>
        <translation>쓰고 첨부한 것과 답변. 보내는 것은 숫자 행뿐이며 글, 파일, 토큰 번호는 보내지 않습니다. 그러나 에이전트를 운영하며 모델의 공개 가중치를 가진 쪽은 그 숫자로 거의 모든 말을 알아낼 수 있습니다. 이 컴퓨터에서 레이어를 더 실행해도 막지 못합니다.</translation>
    </message>
    <message>
        <source>Names and numbers that were not found, and what has left before you marked it or while replacing was off. No recogniser finds all; look over what is replaced before you send.</source>
        <translation>찾지 못한 이름과 번호, 그리고 표시하기 전이나 바꾸기를 꺼 둔 동안 이미 나간 것. 모두 찾아내는 인식기는 없으니, 보내기 전에 무엇이 바뀌는지 살펴보세요.</translation>
    </message>
    <message>
        <source>Who is meant, where the rest of the text tells it. Replacing names is pseudonymisation, not anonymisation.</source>
        <translation>나머지 글에서 드러나는 당사자. 이름을 바꾸는 것은 가명처리이며 익명처리가 아닙니다.</translation>
    </message>
    <message>
        <source>What a stand-in tells: what kind of thing it stands for, mostly the language of a name and whether it is a woman&apos;s or a man&apos;s, how many days lie between dates, how a number is built, and where the same one is meant again.</source>
        <translation>대체어에서 드러나는 것: 어떤 종류인지, 대개는 이름의 언어와 성별, 날짜 사이의 간격, 번호의 형식, 그리고 같은 대상이 어디에 다시 나오는지.</translation>
    </message>
    <message>
        <source>Names and numbers: they leave as they are written.</source>
        <translation>이름과 번호: 쓰인 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>When you ask, how often, and how long questions and answers are.</source>
        <translation>언제, 얼마나 자주 묻는지와 질문과 답변의 길이.</translation>
    </message>
    <message>
        <source>Nothing is sent: every layer of the model runs on this computer.</source>
        <translation>아무것도 보내지 않습니다. 모델의 모든 레이어가 이 컴퓨터에서 실행됩니다.</translation>
    </message>
    <message>
        <source>The wording of names and numbers that Sotto finds, that stand on your lists or that you mark, as far as the strict noise on them goes: the line in the chat says how well a guess can do.</source>
        <translation>Sotto가 찾았거나 목록에 있거나 직접 표시한 이름과 번호가 무엇이었는지, 다만 엄격한 잡음이 미치는 만큼입니다. 추측이 얼마나 맞을 수 있는지는 대화의 표시줄에 나옵니다.</translation>
    </message>
    <message>
        <source>Nothing, from whoever runs the agent.</source>
        <translation>에이전트를 운영하는 쪽에 대해서는 아무것도 보호되지 않습니다.</translation>
    </message>
    <message>
        <source>The wording of names and numbers that Sotto finds, that stand on your lists or that you mark: stand-ins take their place on this computer before the model reads them. What can be worked out there are the stand-ins.</source>
        <translation>Sotto가 찾아냈거나 목록에 있거나 직접 표시한 이름과 번호의 본래 표기. 모델이 읽기 전에 이 컴퓨터에서 대체어로 바뀌므로, 그 자리에서 알아낼 수 있는 것은 대체어입니다.</translation>
    </message>
    <message>
        <source>Everything that is no name or number, and the answers: whoever runs the agent can read them.</source>
        <translation>이름이나 번호가 아닌 모든 것과 답변: 에이전트를 운영하는 쪽이 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>What you write and attach: at noise that leaves answers right, whoever runs the agent and has the model can work most of it out again. How much was recovered stands below.</source>
        <translation>쓰고 첨부한 내용: 답변이 맞을 정도의 잡음이라면 에이전트를 운영하며 모델을 가진 쪽이 대부분 다시 알아낼 수 있습니다. 얼마나 복원되었는지는 아래에 있습니다.</translation>
    </message>
    <message>
        <source>The answers: they go back exact, so the agent can read them.</source>
        <translation>답변: 정확하게 돌아가므로 에이전트가 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>Names and numbers that were not found. No recogniser finds all; look over what is found before you send.</source>
        <translation>찾지 못한 이름과 번호. 모든 것을 찾는 인식기는 없습니다. 보내기 전에 찾은 것을 살펴보세요.</translation>
    </message>
    <message>
        <source>When you ask, how often, how long questions and answers are, and which codes are the same.</source>
        <translation>언제, 얼마나 자주 묻는지, 질문과 답변의 길이, 그리고 어떤 코드가 서로 같은지.</translation>
    </message>
</context>
<context>
    <name>QuestionEdit</name>
    <message>
        <source>Ask something …</source>
        <translation>무엇이든 물어보세요 …</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>질문</translation>
    </message>
    <message>
        <source>Enter sends, Shift and Enter begin a new line.</source>
        <translation>Enter를 누르면 보내고, Shift와 Enter를 함께 누르면 줄을 바꿉니다.</translation>
    </message>
</context>
<context>
    <name>QuestionView</name>
    <message>
        <source>Your question</source>
        <translation>내 질문</translation>
    </message>
</context>
<context>
    <name>Recovered</name>
    <message>
        <source>Finishing the model</source>
        <translation>모델 마저 계산하기</translation>
    </message>
    <message>
        <source>Exact search</source>
        <translation>정확 탐색</translation>
    </message>
    <message>
        <source>Learned inverter, little data</source>
        <translation>학습한 역변환, 적은 자료</translation>
    </message>
    <message>
        <source>Learned inverter, much data</source>
        <translation>학습한 역변환, 많은 자료</translation>
    </message>
    <message>
        <source>Nearest neighbour</source>
        <translation>최근접 이웃</translation>
    </message>
    <message>
        <source>Likeliest word</source>
        <translation>가장 그럴듯한 말</translation>
    </message>
    <message>
        <source>Likeliest word, with a language model</source>
        <translation>가장 그럴듯한 말, 언어 모델 사용</translation>
    </message>
    <message>
        <source>Topic, language and mood</source>
        <translation>주제·언어·감정</translation>
    </message>
    <message>
        <source>Planted names and numbers</source>
        <translation>심어 둔 이름과 번호</translation>
    </message>
    <message>
        <source>Sizes and times on the network</source>
        <translation>네트워크의 크기와 시각</translation>
    </message>
    <message>
        <source>Next word as without noise</source>
        <translation>잡음이 없을 때와 같은 다음 낱말</translation>
    </message>
    <message>
        <source>Gain over no question at all</source>
        <translation>질문이 없을 때보다 나아진 정도</translation>
    </message>
    <message>
        <source>Likeness of continuations</source>
        <translation>이어 쓴 글의 비슷함</translation>
    </message>
    <message>
        <source>Answers word for word as without noise</source>
        <translation>잡음이 없을 때와 낱말까지 같은 답변</translation>
    </message>
    <message>
        <source>Perplexity</source>
        <translation>혼란도</translation>
    </message>
    <message>
        <source>Task: paraphrases (MRPC); beside it without noise</source>
        <translation>과제: 같은 뜻의 문장 (MRPC); 옆은 잡음이 없을 때</translation>
    </message>
    <message>
        <source>Task: mood (SST-2); beside it without noise</source>
        <translation>과제: 감정 (SST-2); 옆은 잡음이 없을 때</translation>
    </message>
    <message>
        <source>words drawn by chance</source>
        <translation>무작위로 뽑은 낱말</translation>
    </message>
    <message>
        <source>in the raw bytes</source>
        <translation>전송된 바이트 그대로</translation>
    </message>
    <message>
        <source>names on no list</source>
        <translation>목록에 없는 이름</translation>
    </message>
    <message>
        <source>words marked late</source>
        <translation>나중에 표시한 낱말</translation>
    </message>
    <message>
        <source>topic</source>
        <translation>주제</translation>
    </message>
    <message>
        <source>language</source>
        <translation>언어</translation>
    </message>
    <message>
        <source>mood</source>
        <translation>감정</translation>
    </message>
    <message>
        <source>not shaped</source>
        <translation>맞추지 않음</translation>
    </message>
    <message>
        <source>padded</source>
        <translation>크기를 맞춤</translation>
    </message>
    <message>
        <source>padded, on a clock</source>
        <translation>크기와 시각을 맞춤</translation>
    </message>
    <message>
        <source>step of the question alone</source>
        <translation>질문을 보내는 단계만</translation>
    </message>
    <message>
        <source>whole answer</source>
        <translation>답변 전체</translation>
    </message>
    <message>
        <source>whole answer, its length not padded</source>
        <translation>답변 전체, 길이는 맞추지 않음</translation>
    </message>
    <message>
        <source>nothing trained</source>
        <translation>학습하지 않음</translation>
    </message>
    <message>
        <source>recipe of the paper</source>
        <translation>논문의 방법</translation>
    </message>
    <message>
        <source>Sotto&apos;s</source>
        <translation>Sotto의 방법</translation>
    </message>
    <message>
        <source>question</source>
        <translation>질문</translation>
    </message>
    <message>
        <source>answer</source>
        <translation>답변</translation>
    </message>
    <message>
        <source>with replacing</source>
        <translation>바꿔 보낼 때</translation>
    </message>
    <message>
        <source>without replacing</source>
        <translation>바꾸지 않을 때</translation>
    </message>
    <message>
        <source>share of the planted values</source>
        <translation>심어 둔 값 가운데 비율</translation>
    </message>
    <message>
        <source>share of the messages</source>
        <translation>메시지 가운데 비율</translation>
    </message>
    <message>
        <source>Measured under noise of mu {mu}.</source>
        <translation>mu {mu} 의 잡음에서 측정했습니다.</translation>
    </message>
    <message>
        <source>Measured under noise of mu {mu}, the nearest to mu {asked}; at that itself nothing is measured.</source>
        <translation>mu {asked} 에 가장 가까운 mu {mu} 의 잡음에서 측정했습니다. mu {asked} 자체에서는 측정한 것이 없습니다.</translation>
    </message>
</context>
<context>
    <name>RecoveredPanel</name>
    <message>
        <source>All figures</source>
        <translation>모든 수치</translation>
    </message>
    <message>
        <source>What an attacker recovers at this setting</source>
        <translation>이 설정에서 공격자가 되찾는 것</translation>
    </message>
    <message>
        <source>Looking it up …</source>
        <translation>찾아보는 중 …</translation>
    </message>
    <message>
        <source>Shares of the tokens unless a row says of what else, with 95 % intervals; beside them what guessing without any traffic gets.</source>
        <translation>따로 적지 않은 줄은 토큰 가운데 비율이며 95 % 신뢰구간을 함께 적었습니다. 옆은 통신 없이 짐작만으로 얻는 비율입니다.</translation>
    </message>
    <message>
        <source>Not measured yet for this setting: {names}.</source>
        <translation>이 설정에서 아직 재지 않음: {names}.</translation>
    </message>
    <message>
        <source>Not measured yet for this setting.</source>
        <translation>이 설정에서는 아직 재지 않았습니다.</translation>
    </message>
    <message>
        <source>Do not take that for protection.</source>
        <translation>재지 않았다고 해서 보호되는 것은 아닙니다.</translation>
    </message>
    <message>
        <source>To measure it, run: {command}</source>
        <translation>재려면 실행하세요: {command}</translation>
    </message>
    <message>
        <source>Whoever has the model&apos;s public weights</source>
        <translation>모델의 공개 가중치를 가진 쪽</translation>
    </message>
    <message>
        <source>Whoever has all of the model but this computer&apos;s layers</source>
        <translation>이 컴퓨터의 레이어를 뺀 모델 전부를 가진 쪽</translation>
    </message>
    <message>
        <source>What is left of the answer</source>
        <translation>답변에서 남는 것</translation>
    </message>
    <message>
        <source>left</source>
        <translation>남음</translation>
    </message>
    <message>
        <source>without question</source>
        <translation>질문 없이</translation>
    </message>
    <message>
        <source>recovered</source>
        <translation>되찾은 비율</translation>
    </message>
    <message>
        <source>by guessing</source>
        <translation>짐작만으로</translation>
    </message>
</context>
<context>
    <name>ReviewModel</name>
    <message>
        <source>Found</source>
        <translation>찾은 것</translation>
    </message>
    <message>
        <source>Leaves as</source>
        <translation>나가는 형태</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>종류</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>위치</translation>
    </message>
    <message>
        <source>chosen anew</source>
        <translation>새로 정함</translation>
    </message>
    <message>
        <source>stays as it is</source>
        <translation>그대로 둠</translation>
    </message>
    <message>
        <source>question</source>
        <translation>질문</translation>
    </message>
</context>
<context>
    <name>ReviewSheet</name>
    <message>
        <source>Before it leaves</source>
        <translation>나가기 전에</translation>
    </message>
    <message>
        <source>Send</source>
        <translation>보내기</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>돌아가기</translation>
    </message>
    <message>
        <source>What was found</source>
        <translation>찾은 것</translation>
    </message>
    <message>
        <source>Each value leaves under strict noise: other words, drawn by chance, take its place, and yours come back where the answer uses them. Every other word can be read by whoever runs the agent where only names and numbers are noisy. Look for what is missing, go back, select it and choose “Always replace this”.</source>
        <translation>각 값은 엄격한 잡음을 더해 나갑니다. 무작위로 뽑은 다른 낱말이 그 자리에 들어가고, 답변에 쓰이면 원래 낱말로 돌아옵니다. 이름과 번호에만 잡음을 더하는 대화에서는 나머지 낱말을 에이전트를 운영하는 쪽이 모두 읽을 수 있습니다. 빠진 것이 있는지 살펴보고, 돌아가서 선택한 뒤 “항상 바꾸기”를 고르세요.</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>거르기</translation>
    </message>
    <message>
        <source>Replace all</source>
        <translation>모두 바꾸기</translation>
    </message>
    <message>
        <source>Replace none</source>
        <translation>모두 그대로</translation>
    </message>
    <message>
        <source>Of those that are shown</source>
        <translation>보이는 것 가운데</translation>
    </message>
    <message>
        <source>Each value leaves as the stand-in beside it, and comes back where the answer uses it. Double-click a stand-in or a kind to change it. Only what was found is replaced: look for what is missing, go back, select it and choose “Always replace this”.</source>
        <translation>각 값은 옆의 대체어로 나가고, 답변에 그 대체어가 나오면 본래 값으로 되돌립니다. 대체어나 종류는 두 번 눌러 바꿀 수 있습니다. 찾은 것만 바뀝니다. 빠진 것이 있는지 보고, 있으면 돌아가서 그 말을 선택해 “항상 바꾸기”를 고르세요.</translation>
    </message>
    <message>
        <source>Where</source>
        <translation>위치</translation>
    </message>
    <message>
        <source>In the question</source>
        <translation>질문에서</translation>
    </message>
    <message>
        <source>As written</source>
        <translation>쓰인 대로</translation>
    </message>
    <message>
        <source>As it leaves</source>
        <translation>나가는 대로</translation>
    </message>
    <message>
        <source>Nothing that identifies a person was found. The question leaves as it is written.</source>
        <translation>개인을 알아볼 만한 것을 찾지 못했습니다. 질문은 쓰인 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>Nothing will be replaced: all values leave as they are.</source>
        <translation>아무것도 바뀌지 않고 모든 값이 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>{replaced} of {all} values will leave under strict noise.</source>
        <translation>값 {all}개 중 {replaced}개가 엄격한 잡음을 더해 나갑니다.</translation>
    </message>
    <message>
        <source>{replaced} of {all} values will be replaced before this question leaves.</source>
        <translation>이 질문이 나가기 전에 값 {all}개 가운데 {replaced}개가 바뀝니다.</translation>
    </message>
    <message>
        <source>“{name}” is too short or holds too common a word: it would be taken for a name where none is meant. Choose another.</source>
        <translation>“{name}”은(는) 너무 짧거나 흔한 말이 들어 있어, 이름이 아닌 곳에서도 이름으로 여겨집니다. 다른 것을 고르세요.</translation>
    </message>
    <message>
        <source>“{name}” has a part of what it is to hide. Choose another.</source>
        <translation>“{name}”에 감추려는 말의 일부가 들어 있습니다. 다른 것을 고르세요.</translation>
    </message>
    <message>
        <source>“{name}” is another value or stand-in, or has a part of one, so the two could not be told apart. Choose another.</source>
        <translation>“{name}”은(는) 다른 값이나 대체어와 같거나 일부가 겹쳐 서로 구별할 수 없습니다. 다른 것을 고르세요.</translation>
    </message>
    <message>
        <source>“{name}” stands in your text already, so the two could not be told apart. Choose another.</source>
        <translation>“{name}”은(는) 이미 글에 나오는 말이어서 서로 구별할 수 없습니다. 다른 것을 고르세요.</translation>
    </message>
</context>
<context>
    <name>Saving</name>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>Handed to the printer, with the real names.</source>
        <translation>실제 이름으로 프린터에 보냈습니다.</translation>
    </message>
    <message>
        <source>Saved with the real names: {path}</source>
        <translation>실제 이름으로 저장했습니다: {path}</translation>
    </message>
    <message>
        <source>{path} could not be written ({reason}). Choose another place.</source>
        <translation>{path}에 쓸 수 없습니다({reason}). 다른 곳을 고르세요.</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>저장</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>모든 파일 (*)</translation>
    </message>
</context>
<context>
    <name>Sending</name>
    <message>
        <source>Something went wrong inside Sotto while names were looked for.</source>
        <translation>이름을 찾는 동안 Sotto 내부에 문제가 생겼습니다.</translation>
    </message>
    <message>
        <source>Nothing was sent</source>
        <translation>아무것도 보내지 않음</translation>
    </message>
    <message>
        <source>The names in this question could not be looked for.</source>
        <translation>이 질문에서 이름을 찾을 수 없었습니다.</translation>
    </message>
    <message>
        <source>Nothing has left this computer. Your question is kept.</source>
        <translation>이 컴퓨터에서 아무것도 나가지 않았습니다. 질문은 그대로 있습니다.</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>다시 시도</translation>
    </message>
    <message>
        <source>Don&apos;t send</source>
        <translation>보내지 않기</translation>
    </message>
    <message>
        <source>From now on it leaves under strict noise.</source>
        <translation>이제부터는 엄격한 잡음을 더해 나갑니다.</translation>
    </message>
    <message>
        <source>From now on it leaves as a stand-in.</source>
        <translation>이제부터는 대체어로 나갑니다.</translation>
    </message>
</context>
<context>
    <name>SentDialog</name>
    <message>
        <source>What left this computer</source>
        <translation>이 컴퓨터에서 나간 것</translation>
    </message>
    <message>
        <source>Saved or printed, the page holds the title of the chat with its real names, and no other words.</source>
        <translation>저장하거나 인쇄한 문서에는 대화 제목이 실제 이름으로 들어가며 다른 말은 없습니다.</translation>
    </message>
    <message>
        <source>what left this computer</source>
        <translation>이 컴퓨터에서 나간 것</translation>
    </message>
    <message>
        <source>Save as JSON …</source>
        <translation>JSON으로 저장 …</translation>
    </message>
    <message>
        <source>Save as PDF …</source>
        <translation>PDF로 저장 …</translation>
    </message>
    <message>
        <source>Print …</source>
        <translation>인쇄 …</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>닫기</translation>
    </message>
</context>
<context>
    <name>SentPage</name>
    <message>
        <source>What left this computer</source>
        <translation>이 컴퓨터에서 나간 것</translation>
    </message>
    <message>
        <source>Nothing has been sent for this chat.</source>
        <translation>이 대화에서는 아무것도 보내지 않았습니다.</translation>
    </message>
    <message>
        <source>In all</source>
        <translation>모두 합쳐</translation>
    </message>
    <message>
        <source>What that is</source>
        <translation>그것이 무엇인가</translation>
    </message>
    <message>
        <source>Answer by answer</source>
        <translation>답변별</translation>
    </message>
    <message>
        <source>Nothing: replacing was off, names and numbers left as they were written.</source>
        <translation>없음: 바꾸기가 꺼져 있어 이름과 번호가 쓰인 그대로 나갔습니다.</translation>
    </message>
    <message>
        <source>Nothing: replacing was off. The agent on this computer got names and numbers as they were written.</source>
        <translation>없음: 바꾸기가 꺼져 있어 이 컴퓨터의 에이전트가 이름과 번호를 쓰인 그대로 받았습니다.</translation>
    </message>
    <message>
        <source>Nothing: replacing was off.</source>
        <translation>없음: 바꾸기가 꺼져 있었습니다.</translation>
    </message>
    <message>
        <source>Nothing was found to replace.</source>
        <translation>바꿀 것을 찾지 못했습니다.</translation>
    </message>
    <message>
        <source>Chat: {title}</source>
        <translation>대화: {title}</translation>
    </message>
    <message>
        <source>Only for answer {number} of {all} of this chat.</source>
        <translation>이 대화의 답변 {all}개 가운데 {number}번째 답변만 다룹니다.</translation>
    </message>
    <message>
        <source>Made by Sotto on this computer, {time}</source>
        <translation>이 컴퓨터의 Sotto가 작성함, {time}</translation>
    </message>
    <message>
        <source>{size} left this computer, to {peers}.</source>
        <translation>이 컴퓨터에서 {peers}(으)로 {size}가 나갔습니다.</translation>
    </message>
    <message>
        <source>That was for {count} of the {all} answers; for the others nothing left.</source>
        <translation>답변 {all}개 가운데 {count}개에 대해서이며, 나머지에 대해서는 아무것도 나가지 않았습니다.</translation>
    </message>
    <message>
        <source>Nothing has been sent for this answer.</source>
        <translation>이 답변에 대해 보낸 것이 없습니다.</translation>
    </message>
    <message>
        <source>Nothing has left this computer: the agent ran on it, too.</source>
        <translation>이 컴퓨터에서 아무것도 나가지 않았습니다. 에이전트도 이 컴퓨터에서 실행되었습니다.</translation>
    </message>
    <message>
        <source>Nothing has left this computer: every layer of the model ran on it.</source>
        <translation>이 컴퓨터에서 아무것도 나가지 않았습니다. 모델의 모든 레이어가 이 컴퓨터에서 실행되었습니다.</translation>
    </message>
    <message>
        <source>Nothing has left this computer.</source>
        <translation>이 컴퓨터에서 아무것도 나가지 않았습니다.</translation>
    </message>
    <message>
        <source>Answers</source>
        <translation>답변</translation>
    </message>
    <message>
        <source>Left this computer</source>
        <translation>이 컴퓨터에서 나감</translation>
    </message>
    <message>
        <source>Came back</source>
        <translation>돌아옴</translation>
    </message>
    <message>
        <source>Handed to the agent on this computer</source>
        <translation>이 컴퓨터의 에이전트에 넘김</translation>
    </message>
    <message>
        <source>Handed back by it</source>
        <translation>에이전트가 돌려줌</translation>
    </message>
    <message>
        <source>Replaced beforehand</source>
        <translation>미리 바꾼 것</translation>
    </message>
    <message>
        <source>Nothing by stand-ins: names and numbers left under strict noise.</source>
        <translation>대체어로 바꾼 것은 없음: 이름과 번호는 엄격한 잡음을 더해 나갔습니다.</translation>
    </message>
    <message>
        <source>What an agent gets are rows of numbers that the model has computed between two of its layers, one row for each token: no text, no token numbers and no file.</source>
        <translation>에이전트가 받는 것은 모델이 두 레이어 사이에서 계산한 숫자 행이며, 토큰마다 한 행입니다. 글, 토큰 번호, 파일은 받지 않습니다.</translation>
    </message>
    <message>
        <source>What was not found, or was marked later, was not replaced.</source>
        <translation>찾지 못한 것과 나중에 표시한 것은 바뀌지 않았습니다.</translation>
    </message>
    <message>
        <source>What they stand for has not left with them.</source>
        <translation>대체어가 가리키는 본래 말은 함께 나가지 않았습니다.</translation>
    </message>
    <message>
        <source>Rows</source>
        <translation>행</translation>
    </message>
    <message>
        <source>To</source>
        <translation>받은 쪽</translation>
    </message>
    <message>
        <source>{count} of the answers</source>
        <translation>답변 {count}개</translation>
    </message>
    <message>
        <source>Without replacing</source>
        <translation>바꾸지 않음</translation>
    </message>
    <message>
        <source>the first {head} and the last {tail}</source>
        <translation>앞 {head}개와 뒤 {tail}개</translation>
    </message>
    <message>
        <source>Handed to it</source>
        <translation>에이전트에 넘김</translation>
    </message>
    <message>
        <source>Mode</source>
        <translation>방식</translation>
    </message>
    <message>
        <source>Layers on this computer</source>
        <translation>이 컴퓨터의 레이어</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>Traffic shape</source>
        <translation>트래픽 형태</translation>
    </message>
    <message>
        <source>That alone does not keep a text secret: whoever receives the rows and has the model&apos;s public weights can work out nearly all of the text from them, and read the answers.</source>
        <translation>그것만으로 글이 비밀로 지켜지지는 않습니다. 행을 받고 모델의 공개 가중치를 가진 쪽은 거의 모든 글을 알아내고 답변을 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>Bytes are counted on the connection to the agent, with all that belongs to an answer.</source>
        <translation>바이트는 에이전트와의 연결에서 세며, 답변에 딸린 모든 것을 포함합니다.</translation>
    </message>
    <message>
        <source>What was replaced was replaced before the model read it: the rows hold the stand-ins.</source>
        <translation>바꾼 것은 모델이 읽기 전에 바꾸었으며, 행에는 대체어가 담깁니다.</translation>
    </message>
    <message>
        <source>But for some of the answers replacing was off: there names and numbers were sent as they were written. Each answer sends what came before it in the chat again, so both were sent, and whoever got both can link the stand-ins to what they stand for.</source>
        <translation>그러나 일부 답변에서는 바꾸기가 꺼져 있어 이름과 번호가 쓰인 그대로 보냈습니다. 답변마다 대화의 앞부분을 다시 보내므로 둘 다 보낸 셈이며, 둘 다 받은 쪽은 대체어와 본래 말을 서로 이어 볼 수 있습니다.</translation>
    </message>
    <message>
        <source>exact split: the rows as the model computes them</source>
        <translation>정확 분할: 모델이 계산한 그대로의 행</translation>
    </message>
    <message>
        <source>split with noise</source>
        <translation>잡음을 더한 분할</translation>
    </message>
    <message>
        <source>only here: all layers ran on this computer</source>
        <translation>여기서만: 모든 레이어가 이 컴퓨터에서 실행됨</translation>
    </message>
    <message>
        <source>{short} ({count} bytes)</source>
        <translation>{short} ({count}바이트)</translation>
    </message>
    <message>
        <source>every word: mu {mu}</source>
        <translation>모든 낱말: mu {mu}</translation>
    </message>
    <message>
        <source>all other words: none, they left as they were written</source>
        <translation>나머지 낱말: 없음, 쓰인 그대로 나감</translation>
    </message>
    <message>
        <source>names, numbers and marked words: mu {mu}</source>
        <translation>이름, 번호, 표시한 낱말: mu {mu}</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>잡음</translation>
    </message>
    <message>
        <source>{count} of the rows</source>
        <translation>행 {count}개</translation>
    </message>
    <message>
        <source>Noisy codes</source>
        <translation>잡음 섞인 코드</translation>
    </message>
    <message>
        <source>as codes</source>
        <translation>코드로</translation>
    </message>
    <message>
        <source>exact; the agent can read it</source>
        <translation>정확하게; 에이전트가 읽을 수 있음</translation>
    </message>
    <message>
        <source>The answer went back</source>
        <translation>답변이 돌아간 방식</translation>
    </message>
    <message>
        <source>ε {epsilon} of {budget} at δ {delta}, each name or number by itself</source>
        <translation>ε {budget} 중 {epsilon} (δ {delta}), 이름이나 번호마다 따로</translation>
    </message>
    <message>
        <source>ε {epsilon} of {budget} at δ {delta}, the whole chat up to then</source>
        <translation>ε {budget} 중 {epsilon} (δ {delta}), 그때까지 대화 전체</translation>
    </message>
    <message>
        <source>Spent of the budget</source>
        <translation>예산 중 쓴 것</translation>
    </message>
    <message>
        <source>Under noise an agent gets codes with chance in them, drawn once for each word. Epsilon bounds what anybody can learn from the codes of a word, whatever else they know; a large one bounds next to nothing, and then all that protects is what attackers have not managed. The settings tell how much was recovered.</source>
        <translation>잡음을 더하면 에이전트는 낱말마다 한 번 뽑은, 우연이 섞인 코드를 받습니다. 엡실론은 누가 다른 무엇을 알든 그 코드에서 알아낼 수 있는 것의 한계입니다. 큰 엡실론은 거의 아무것도 제한하지 않으며, 그때 보호하는 것은 공격자가 아직 해내지 못했다는 사실뿐입니다. 얼마나 복원되었는지는 설정에 나옵니다.</translation>
    </message>
    <message>
        <source>The guarantee does not cover how long texts are, when something was sent, which codes are the same, or words of the template, which are public.</source>
        <translation>이 보장은 글의 길이, 보낸 때, 어떤 코드가 서로 같은지, 그리고 공개된 틀의 낱말에는 미치지 않습니다.</translation>
    </message>
    <message>
        <source>Nor does it cover the answer: it went back exact, so the agent can read it, and what it tells.</source>
        <translation>답변에도 미치지 않습니다. 답변은 정확하게 돌아갔으므로 에이전트가 답변과 거기서 드러나는 것을 읽을 수 있습니다.</translation>
    </message>
    <message>
        <source>Words that were neither found nor marked left without noise: whoever got them can read them.</source>
        <translation>찾지도 표시하지도 않은 낱말은 잡음 없이 나갔습니다. 받은 쪽이 읽을 수 있습니다.</translation>
    </message>
</context>
<context>
    <name>SettingsDialog</name>
    <message>
        <source>Settings</source>
        <translation>설정</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>저장</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>취소</translation>
    </message>
    <message>
        <source>Defaults</source>
        <translation>기본값</translation>
    </message>
    <message>
        <source>Nothing is sent, so there is nothing to recover.</source>
        <translation>아무것도 보내지 않으므로 되찾을 것이 없습니다.</translation>
    </message>
    <message>
        <source>A seed is a whole number, or empty for a new one each time.</source>
        <translation>시드는 정수이거나 비어 있어야 합니다. 비우면 매번 새로 정합니다.</translation>
    </message>
    <message>
        <source>Split</source>
        <translation>분할</translation>
    </message>
    <message>
        <source>Drafting: guess ahead, which hides the distance</source>
        <translation>초안 추측: 미리 짐작해 거리를 감춥니다</translation>
    </message>
    <message>
        <source>Changes how fast an answer comes, never what it says.</source>
        <translation>답변의 속도만 달라지고 내용은 달라지지 않습니다.</translation>
    </message>
    <message>
        <source>Protection</source>
        <translation>보호</translation>
    </message>
    <message>
        <source>Noise in new chats</source>
        <translation>새 대화의 잡음</translation>
    </message>
    <message>
        <source>Model</source>
        <translation>모델</translation>
    </message>
    <message>
        <source>Sampling</source>
        <translation>샘플링</translation>
    </message>
    <message>
        <source>0 always takes the likeliest token.</source>
        <translation>0이면 항상 가장 유력한 토큰을 고릅니다.</translation>
    </message>
    <message>
        <source>Only the k likeliest tokens; 0 is off.</source>
        <translation>가장 유력한 k개 토큰만 씁니다. 0이면 끕니다.</translation>
    </message>
    <message>
        <source>off</source>
        <translation>끔</translation>
    </message>
    <message>
        <source>Only the likeliest tokens that make up this share; 1 is off.</source>
        <translation>합이 이 비율이 되는 유력한 토큰만 씁니다. 1이면 끕니다.</translation>
    </message>
    <message>
        <source>Only tokens at least this likely beside the likeliest; 0 is off.</source>
        <translation>가장 유력한 토큰에 견주어 이 비율 이상인 토큰만 씁니다. 0이면 끕니다.</translation>
    </message>
    <message>
        <source>Above 1, words that were used get rarer; 1 is off.</source>
        <translation>1보다 크면 이미 쓴 말이 덜 나옵니다. 1이면 끕니다.</translation>
    </message>
    <message>
        <source>new each time</source>
        <translation>매번 새로</translation>
    </message>
    <message>
        <source>The same seed gives the same answer.</source>
        <translation>시드가 같으면 답변도 같습니다.</translation>
    </message>
    <message>
        <source>An answer ends here at the latest.</source>
        <translation>답변은 늦어도 여기서 끝납니다.</translation>
    </message>
    <message>
        <source>Temperature</source>
        <translation>온도</translation>
    </message>
    <message>
        <source>Top-k</source>
        <translation>Top-k</translation>
    </message>
    <message>
        <source>Top-p</source>
        <translation>Top-p</translation>
    </message>
    <message>
        <source>Min-p</source>
        <translation>Min-p</translation>
    </message>
    <message>
        <source>Repetition penalty</source>
        <translation>반복 벌점</translation>
    </message>
    <message>
        <source>Seed</source>
        <translation>시드</translation>
    </message>
    <message>
        <source>Most tokens of an answer</source>
        <translation>답변 최대 토큰</translation>
    </message>
</context>
<context>
    <name>SplitControls</name>
    <message>
        <source>Only here: run every layer on this computer</source>
        <translation>여기서만: 모든 레이어를 이 컴퓨터에서 실행</translation>
    </message>
    <message>
        <source>Layers of the head</source>
        <translation>앞쪽 레이어 수</translation>
    </message>
    <message>
        <source>Layers of the tail</source>
        <translation>뒤쪽 레이어 수</translation>
    </message>
    <message>
        <source>&amp;Head</source>
        <translation>앞쪽(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Tail</source>
        <translation>뒤쪽(&amp;T)</translation>
    </message>
    <message>
        <source>How many layers there are is known as soon as the model is loaded.</source>
        <translation>레이어가 몇 개인지는 모델을 불러온 뒤에 알 수 있습니다.</translation>
    </message>
    <message>
        <source>All {layers} layers run here.</source>
        <translation>레이어 {layers}개가 모두 여기서 실행됩니다.</translation>
    </message>
    <message>
        <source>Of {layers} layers the first {head} and the last {tail} run here, {middle} at the agent.</source>
        <translation>레이어 {layers}개 가운데 앞 {head}개와 뒤 {tail}개는 여기서, {middle}개는 에이전트에서 실행됩니다.</translation>
    </message>
</context>
<context>
    <name>SplitPicture</name>
    <message>
        <source>Picture of the split</source>
        <translation>분할 그림</translation>
    </message>
</context>
<context>
    <name>StatusLine</name>
    <message>
        <source>Who runs the middle layers</source>
        <translation>중간 레이어를 실행하는 곳</translation>
    </message>
    <message>
        <source>What is being prepared</source>
        <translation>준비 상황</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>진행</translation>
    </message>
    <message>
        <source>What has just happened</source>
        <translation>방금 일어난 일</translation>
    </message>
    <message>
        <source>Time of one round trip to the agent</source>
        <translation>에이전트까지 왕복 시간</translation>
    </message>
    <message>
        <source>Tokens per second</source>
        <translation>초당 토큰 수</translation>
    </message>
    <message>
        <source>Tokens for each step sent to the agent</source>
        <translation>에이전트로 보낸 한 단계당 토큰 수</translation>
    </message>
    <message>
        <source>Bytes sent and received for this answer</source>
        <translation>이 답변에서 보내고 받은 바이트</translation>
    </message>
</context>
<context>
    <name>TrafficShape</name>
    <message>
        <source>as it comes</source>
        <translation>그대로</translation>
    </message>
    <message>
        <source>padded</source>
        <translation>크기를 맞춤</translation>
    </message>
    <message>
        <source>padded, at a steady beat</source>
        <translation>크기와 박자를 맞춤</translation>
    </message>
    <message>
        <source>Whoever watches the network sees sizes and times, and can tell from them which of some known questions was asked.</source>
        <translation>네트워크를 지켜보는 쪽은 크기와 시각을 보고, 알려진 질문들 가운데 어느 것을 물었는지 가려낼 수 있습니다.</translation>
    </message>
    <message>
        <source>Does nothing against whoever runs the agent. Whoever only watches the network still sees when you ask, when each step goes, and in how many slices of one size the question goes, so about how long it is. All other steps have one size, too, and answers look as long as 64, 128 or a multiple of 256 steps. Costs bytes, and the connection stays busy after an answer: the line below each answer says how much.</source>
        <translation>에이전트를 운영하는 쪽에 대해서는 아무것도 막지 못합니다. 네트워크만 지켜보는 쪽도 언제 묻는지, 각 단계가 언제 나가는지, 질문이 같은 크기의 조각 몇 개로 나가는지를 볼 수 있어 질문의 대략적인 길이를 압니다. 나머지 단계도 크기가 모두 같고, 답변 길이는 64, 128 또는 256의 배수 단계로 보입니다. 바이트가 더 들고 답변이 끝난 뒤에도 연결이 한동안 바쁩니다. 얼마나 드는지는 각 답변 아래 줄에 있습니다.</translation>
    </message>
    <message>
        <source>Does nothing against whoever runs the agent. As padded; and from the first word of an answer to the end of its padding, and only then, a step leaves at every beat of a clock, ten a second. When you ask and in how many slices the question goes stays visible. Costs most bytes, and an answer comes no faster than the beat: the line below each answer says how much.</source>
        <translation>에이전트를 운영하는 쪽에 대해서는 아무것도 막지 못합니다. 크기를 맞추는 데 더해, 답변의 첫 말부터 덧붙인 단계가 끝날 때까지만 시계에 맞춰 초당 열 번 단계를 보냅니다. 언제 묻는지와 질문이 조각 몇 개로 나가는지는 여전히 보입니다. 바이트가 가장 많이 들고, 답변은 그 박자보다 빨리 오지 않습니다. 얼마나 드는지는 각 답변 아래 줄에 있습니다.</translation>
    </message>
</context>
<context>
    <name>TrafficShapeControls</name>
    <message>
        <source>Traffic shape</source>
        <translation>트래픽 형태</translation>
    </message>
</context>
<context>
    <name>Transcript</name>
    <message>
        <source>behind a word: Sotto put it in the place of a stand-in, and the model may have meant another.</source>
        <translation>표시가 뒤에 붙은 말: 대체어 자리에 Sotto가 되돌려 넣은 말이며, 모델은 다른 말을 뜻했을 수 있습니다.</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>질문</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>답변</translation>
    </message>
</context>
<context>
    <name>UnlockPage</name>
    <message>
        <source>Passphrase</source>
        <translation>암호 문구</translation>
    </message>
    <message>
        <source>The same once more</source>
        <translation>같은 암호 문구 한 번 더</translation>
    </message>
    <message>
        <source>Once more</source>
        <translation>한 번 더</translation>
    </message>
    <message>
        <source>At least {count} letters, best four words or more that do not belong together: whoever gets hold of the file can have a machine try short ones until one fits.</source>
        <translation>{count}자 이상, 서로 관련 없는 네 단어 이상이 가장 좋습니다. 파일을 손에 넣은 사람은 맞을 때까지 기계로 짧은 암호 문구를 시도할 수 있습니다.</translation>
    </message>
    <message>
        <source>Go on without keeping anything</source>
        <translation>아무것도 보관하지 않고 계속</translation>
    </message>
    <message>
        <source>Every chat is then gone when you leave it.</source>
        <translation>그러면 모든 대화는 떠날 때 사라집니다.</translation>
    </message>
    <message>
        <source>Choose a passphrase for your chats</source>
        <translation>대화를 지킬 암호 문구를 정하세요</translation>
    </message>
    <message>
        <source>Your chats are locked</source>
        <translation>대화가 잠겨 있습니다</translation>
    </message>
    <message>
        <source>Your chats cannot be opened</source>
        <translation>대화를 열 수 없습니다</translation>
    </message>
    <message>
        <source>This computer offers no keyring to keep a key in, so a passphrase protects what Sotto keeps. It is written down nowhere. If you forget it, all chats are lost for good: nobody can open them.</source>
        <translation>이 컴퓨터에는 키를 보관할 키링이 없어, Sotto가 보관하는 것을 암호 문구로 지킵니다. 암호 문구는 어디에도 적어 두지 않습니다. 잊으면 모든 대화를 영영 잃으며 아무도 열 수 없습니다.</translation>
    </message>
    <message>
        <source>Enter the passphrase that you chose for them.</source>
        <translation>정해 둔 암호 문구를 입력하세요.</translation>
    </message>
    <message>
        <source>Nothing can be kept until that is mended. You can chat meanwhile.</source>
        <translation>고칠 때까지는 아무것도 보관할 수 없습니다. 그동안에도 대화는 할 수 있습니다.</translation>
    </message>
    <message>
        <source>Your lists of names are kept with your chats. If you go on without keeping anything, they are not used: a name that only a list tells leaves as it is written.</source>
        <translation>이름 목록은 대화와 함께 보관됩니다. 아무것도 보관하지 않고 계속하면 목록을 쓰지 않습니다. 목록에만 있는 이름은 적힌 그대로 나갑니다.</translation>
    </message>
    <message>
        <source>Use this passphrase</source>
        <translation>이 암호 문구 쓰기</translation>
    </message>
    <message>
        <source>Unlock</source>
        <translation>잠금 풀기</translation>
    </message>
    <message>
        <source>Too short: a machine that tries can guess it. Choose one of {count} letters or more, best four words.</source>
        <translation>너무 짧습니다. 기계로 시도하면 알아맞힐 수 있습니다. {count}자 이상으로, 되도록 네 단어로 정하세요.</translation>
    </message>
    <message>
        <source>The two differ.</source>
        <translation>두 암호 문구가 다릅니다.</translation>
    </message>
</context>
<context>
    <name>UnreadWords</name>
    <message>
        <source>Chinese</source>
        <translation>한자</translation>
    </message>
    <message>
        <source>Japanese</source>
        <translation>일본</translation>
    </message>
    <message>
        <source>Arabic</source>
        <translation>아랍</translation>
    </message>
    <message>
        <source>Hebrew</source>
        <translation>히브리</translation>
    </message>
    <message>
        <source>Thai</source>
        <translation>태국</translation>
    </message>
    <message>
        <source>Devanagari</source>
        <translation>데바나가리</translation>
    </message>
    <message>
        <source>Armenian</source>
        <translation>아르메니아</translation>
    </message>
    <message>
        <source>Georgian</source>
        <translation>조지아</translation>
    </message>
    <message>
        <source>Names in {scripts} writing are hardly found: put them on a list, or go back, select them and choose “Always replace this”.</source>
        <translation>{scripts} 문자로 적힌 이름은 거의 찾지 못합니다. 목록에 넣거나, 돌아가서 그 이름을 선택해 “항상 바꾸기”를 고르세요.</translation>
    </message>
</context>
<context>
    <name>Welcome</name>
    <message>
        <source>Incognito chat</source>
        <translation>시크릿 대화</translation>
    </message>
    <message>
        <source>Nothing of it is written to disk, and it is gone when you leave it.</source>
        <translation>디스크에 전혀 기록하지 않으며, 떠나면 사라집니다.</translation>
    </message>
    <message>
        <source>What would you like to know?</source>
        <translation>무엇이 궁금하세요?</translation>
    </message>
    <message>
        <source>Type a question, or drop a document anywhere in this window.</source>
        <translation>질문을 입력하거나 이 창 아무 곳에나 문서를 끌어다 놓으세요.</translation>
    </message>
</context>
</TS>
