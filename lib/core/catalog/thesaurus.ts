/**
 * Words that people use for the same thing, in the vocabulary of tools: general English of offices, computing, the web,
 * money, places and media. Nothing in it was taken from a particular server's tools.
 *
 * A line is a group whose words all stand for each other. A line with ">" names kinds or short forms on its left of what
 * is on its right: who asks for the left may mean the right, and seldom the other way round. Lines with "#" are headings.
 */
export const THESAURUS = `
# doing
create add new make insert generate build initialize compose construct produce
create introduce establish craft form
add append include attach prepend extra further
start begin launch boot initiate resume commence activate
start run up spin bring
stop end finish halt terminate quit exit abort cancel kill close shutdown down cease
pause suspend hold freeze
resume continue proceed unpause
delete remove drop erase destroy purge clear discard eliminate wipe rid trash uninstall
remove strip detach unset exclude cut
clean strip sanitize tidy cleanup purge
get fetch retrieve obtain read load receive return acquire pull
show view display see look present reveal
list enumerate show all available which
find search lookup locate discover query seek hunt look
find detect identify spot recognize
search explore browse scan
browse navigate visit open go surf
open launch start access
close exit dismiss
update edit modify change alter revise amend adjust tweak correct
update refresh renew sync synchronize upgrade
set assign configure define specify change
configure setup configuration config setting option preference
replace substitute swap exchange overwrite
write save store persist put record dump
save keep export preserve
write compose author draft
read consume parse open view
move relocate transfer drag shift migrate
rename retitle relabel name
copy duplicate clone replicate mirror
send post publish submit deliver transmit dispatch
share publish distribute invite
notify alert warn notification warning inform
remind reminder alarm
execute run invoke launch trigger perform call evaluate
compare diff difference differ contrast comparison versus changed
convert transform translate turn transformation conversion translation
convert export format
import load ingest upload
download fetch save grab retrieve
upload push attach import
describe explain detail info information metadata description
detail full complete comprehensive
summarize summary overview brief abstract digest recap tldr gist
analyze analysis examine evaluate assess investigate study inspect analyse
inspect examine look check
check verify validate test confirm ensure
validate valid correct lint
fix repair correct resolve solve mend patch
solve answer resolve
format style formatting pretty beautify prettify indent layout
merge combine join unite concatenate union
split divide separate chunk partition
extract pull parse scrape capture take
sort order arrange rank
rank ranking top best leaderboard leading standings highest
best recommend strongest top optimal
recommend suggest propose recommendation suggestion advice advise
filter narrow restrict limit
count number total amount many quantity
calculate compute evaluate calculation math arithmetic work
measure metric statistic stats
statistic stats analytics metric number
estimate predict forecast projection prediction guess
draw paint sketch drawing render
plot visualize visualization chart graph diagram draw
chart graph plot diagram
diagram flowchart drawing
press click tap push hit
type fill enter input
hover mouse pointer cursor
scroll swipe
pick choose select choice selection option
connect link join attach bind
relate relation relationship association link connection tie
disconnect unlink detach
install setup add deploy
allow permit grant authorize enable
forbid deny block disallow ban reject
enable activate on
disable deactivate off
permission access right role privilege
login signin authenticate auth logon
logout signout
protect secure lock encrypt guard
unlock decrypt
approve accept confirm authorize sign
reject decline deny refuse dismiss
assign allocate delegate
schedule plan book arrange
reserve book reservation booking
complete done finish finalize finished completed mark resolve
answer reply respond response
comment remark annotation reply
remember memory recall store memorize
forget delete remove
watch monitor track observe follow
subscribe follow watch
unsubscribe unfollow
wait sleep delay pause
retry repeat again redo
undo revert reset rollback discard
restore recover undelete
backup copy snapshot archive
compress zip archive gzip
decompress unzip extract unpack
encode encoding serialize
decode decoding deserialize
parse interpret read
crawl scrape spider harvest
resize scale shrink enlarge
crop trim cut
rotate turn flip
zoom enlarge
play listen stream
record capture
watch view
translate language localize
think reason reflect thought reasoning brainstorm
learn study
teach explain
ask question query
help assist support guide
guide tutorial instruction manual howto
like favorite star upvote love
vote poll
hire recruit
buy purchase order acquire
sell sale
pay payment charge spend
refund return reimburse
earn income gain
borrow lend loan
own have hold possess belong
win victory
lose loss
travel trip journey
drive driving car
fly flight
walk walking foot
cook recipe cooking
eat meal food dish
# saying of files and documents
file document
file path
folder directory path
directory tree
path location
filename name
document doc file text
docx doc > word document
odt rtf > document
xlsx xls > excel spreadsheet
csv tsv > table spreadsheet
pptx ppt > powerpoint presentation
spreadsheet workbook excel sheet
worksheet sheet tab
tab sheet
cell range
pdf > document
presentation slide deck slideshow talk powerpoint
txt > text
text string content wording
plain raw text
content body data text
page sheet
paragraph section
chapter section part
section heading
title heading header headline caption
headline title news
footnote endnote note
quote citation reference
reference citation bibliography
note memo notebook annotation
outline structure toc
table grid
row line record
line row
column field
bullet list
checklist todo task
margin border padding
bold italic underline > font style format
font typeface text
style look appearance theme
template layout pattern design
layout arrangement design
placeholder template variable
printer print
print pdf
signature sign
attachment file
disk drive storage filesystem
local disk
cloud online remote
bucket blob s3 > storage
size big large length bytes
large big huge
small little tiny
# pictures, sound, film
image picture photo photograph pic
screenshot capture snapshot screen
screen display monitor
icon logo pictogram symbol
symbol icon
shape rectangle arrow circle
svg > vector image
png jpg jpeg gif webp > image picture
ocr > text image extract recognition
canvas drawing image
pixel image
drawing painting sketch
art artwork painting
artwork object painting
video clip movie film
mp4 > video
youtube > video
mp3 wav > audio
audio sound music
music song track tune
song track
album record
artist musician singer band
playlist queue
podcast episode
subtitle caption transcript
transcript transcription text
lyrics song text
voice speech speak
speech voice audio
tempo bpm beat
volume loudness
camera photo
animation animate motion effect
effect filter shadow
color colour
color paint fill
background backdrop wallpaper
brightness bright light dim
dark night
model mesh > 3d
# web
web internet online
google bing duckduckgo yahoo > search web
site website webpage web
page webpage website
web page site
url link address uri href
link hyperlink url
domain website host
domain tld dns
whois > domain registrar registration
registrar registration owner
sitemap crawler
html > web page markup
markup tag html
css stylesheet > style
markdown md
json xml yaml > data
json object
rss feed
feed news timeline
browser web page
browser chrome firefox
cookie session
form field input
button link element
dropdown menu select
menu list option
element component widget item
widget component
component module part
ui interface
frontend ui component
react vue svelte angular > component
antd > ant design
dom element html
seo search keyword
cache cached
proxy gateway
# code and machines
code source program script
codebase repository code source
snippet code example
example sample demo snippet
script program code
function method procedure
class type
variable constant
regex regexp > regular expression pattern
expression formula
bug defect issue error
issue ticket bug problem
issue problem
ticket issue task
error failure exception fault crash
crash error failure
debug debugger diagnose troubleshoot
test spec
test check
lint linter
compile build
build ci pipeline
pipeline workflow ci
workflow automation process action
repo repository project
repository codebase project
github gitlab bitbucket > repository git
pr > pull request
mr > merge request
git > repository version
branch fork
commit revision change
diff change patch
patch diff
tag release version
version release
release version changelog
changelog history release change
readme documentation
documentation docs manual reference
docs documentation
library package module dependency
package library module
dependency package
npm yarn pnpm > package node
pip pypi > python package
maven gradle > java dependency
crate cargo > rust
javascript js node typescript
python py
java > code
shell terminal bash console command cmd
terminal console session
command cmd shell
grep > search find text
ls dir > list directory
cat > read file
rm > delete remove
mkdir > create directory
mv > move rename
cp > copy
curl wget > fetch http request
ps > process list
process task program
process job running
pid process
program application app software
app application program
software program application
job task
cron schedule
environment env variable
container docker image pod
docker podman > container
compose stack container
kubernetes k8s > cluster pod container
cluster node
pod container workload
deployment deploy release
deploy release publish ship
replica copy scale
scale resize replica
server host machine
host server machine
instance server machine vm
vm instance machine
service server
lambda function serverless
aws azure gcp > cloud
network connection
ip address network
port socket
dns domain record
ping latency reachability
request call
api endpoint service
endpoint url api
http https > request web
webhook callback
post put delete > http request
response reply result
result outcome output
output result log
input parameter argument
parameter argument property option
property attribute field
attribute field
log output history
log event record
trace span
metric measurement
monitor observability
alert alarm incident
incident outage
uptime availability status
health status
status state progress
state status condition
dashboard panel
queue message
event message
database db table sql
db database
sql > query database
postgres postgresql mysql sqlite mongodb mariadb > database sql
query select search
select query
table collection
record row entry
schema structure definition
structure schema tree hierarchy
hierarchy tree nested organization
nested tree hierarchy
index list
key identifier
id identifier key code number
identifier id
secret password credential token key
password passphrase secret
token key
vulnerability cve security advisory
security safe vulnerability
malware virus threat
audit log history
license licence
clipboard copy paste
# people and talk
person people human user
user account person member
member user
profile account user
account profile
people person staff employee
employee staff worker
team group
group category team
friend contact
contact person customer
customer client buyer
boss manager ceo
manager supervisor
author writer creator
owner holder
company organization business firm enterprise corporation
organization company
organisation organization
org organization
lead prospect
deal opportunity sale
crm customer contact
chat conversation message
message chat text
dm > message direct
email mail message
mail email
inbox email mailbox
newsletter email
slack discord teams telegram whatsapp > message chat channel
channel room
thread conversation discussion reply
discussion thread comment forum
forum discussion
reply comment answer
comment reply
post article message
tweet > post message
story article post
article post story paper
blog post article
news article headline
hn > hacker news
twitter facebook instagram linkedin reddit mastodon > social post
emoji reaction smile
phone call telephone
sms text message
meeting event appointment call
event meeting
calendar schedule agenda
agenda calendar
appointment event meeting
deadline due
task todo ticket
todo task
kanban board
sprint iteration
milestone goal
project workspace
priority importance
label tag category
category topic type genre
category taxonomy classification
topic subject theme
subject topic
keyword term
term word keyword
phrase text
word term
language translation
form survey questionnaire
survey poll
feedback review
review rating opinion
rating score review
score rating
quality rating score
# time and place
time clock hour
date day
today now current
now current currently
current active now
tomorrow date
year annual yearly
month monthly
week weekly
day daily
hour hourly
duration length
timezone zone
period range interval
history past historical previous
historical history past
recent latest last new
latest newest recent last
newest latest
old previous archive
upcoming future next
trending popular hot trend
popular trending top
common frequent
place location venue
place spot
location place position address
map geography
gps coordinate location
latitude longitude lat lon > coordinate
coordinate latitude longitude
geocode coordinate
address location street
street road
near nearby around close surrounding
nearby near
city town municipality
country nation
state province region
area region neighborhood district zone
region area
district region
neighborhood area
neighbourhood neighborhood area
route direction path way
direction route navigation
distance far
traffic congestion
train railway rail
station stop
bus transit
airport flight
flight airline plane
ticket fare
hotel accommodation lodging stay
apartment accommodation listing rental
holiday vacation
restaurant cafe food
school university college education
hospital clinic
shop store
museum gallery
parking car
charging ev
weather forecast climate
rain snow storm wind > weather
temperature weather
humidity weather
sunny cloudy > weather
earthquake disaster
# money
price cost value worth
worth price
price quote
quote price
price rate
money currency
currency exchange forex
dollar euro pound yen yuan rupee krone kroner franc won peso > currency
rate exchange
exchange market
stock share equity
share stock
ticker symbol stock
holder owner shareholder
investor fund holder
fund investment
investment portfolio
portfolio holding
bond treasury
option call put
market exchange
trade trading
dividend payout
revenue income sales turnover
income profit earnings
profit earnings
earnings financial
balance account
cash cashflow
financial finance
finance money
statement report
report statement analysis
filing report
budget expense
expense cost
tax vat
salary wage
bank account
transaction transfer payment
transfer payment
invoice bill
bill invoice
payment transaction
charge payment
subscription plan
discount coupon
product item
cart basket order
order purchase
order request
shipping delivery
stock inventory
inventory stock
crypto cryptocurrency coin
bitcoin btc ethereum eth dogecoin solana litecoin > cryptocurrency crypto
wallet account
blockchain crypto
gold silver platinum > metal
economy economic
gdp inflation > economic
# knowledge, science, health
knowledge memory
knowledge information
fact information
wiki wikipedia
encyclopedia > wikipedia
article wikipedia
dictionary definition
definition meaning
meaning definition
synonym thesaurus
entity object node
node entity vertex
edge relation link
graph network
network graph
concept idea
mindmap idea outline
paper article publication study
paper preprint
publication paper
journal publication
arxiv > paper preprint
pubmed > biomedical article literature
study trial research
research study
literature paper article
abstract summary
citation reference
scientific science research
experiment trial
trial study
clinical medical patient
patient clinical
medical health medicine biomedical
medicine drug
drug medicine compound
disease illness condition
cancer tumor melanoma
gene genetic variant
genetic gene genome
variant mutation
mutation variant
protein structure
chemical compound molecule
physics math
math mathematics
equation formula
statistics probability
dataset data
data dataset
model ai
ai llm
prompt text
embedding vector
vector similarity
nutrition calorie
exercise workout fitness
symptom disease
law legal
court case
patent invention
book publication
book novel
library book
movie film
film movie
tv show series
show series
anime manga
actor cast
sport match
football soccer
game match play
match game
player user
champion character hero
character hero
hero character
item equipment
tournament league competition
league competition
standings ranking table
chess > board game
card deck
dice random
random chance luck
random arbitrary
number integer
integer number whole
decimal float
float decimal
shuffle random mix
sample random
joke fun
light lamp bulb
device appliance
thermostat temperature
sensor reading
door lock
robot automation
pie circle
circle pie
bar column
line trend
trend line
area surface
scatter point
step stage
stage step
process flow
flow process
percentage share proportion ratio
proportion percentage
average mean
maximum max highest
minimum min lowest
high low
similar related alike
similar alternative
alternative similar instead
same equal identical
different other
unique distinct
distinct unique
multiple several many
several multiple
single one
empty blank
blank empty
whole entire full
entire whole
complete whole
fast quick performance
slow performance
performance speed
safe secure
broken error
stuck hang blocked
active open running
# shops, customers, offices
shop store merchant retailer
shopping cart order
checkout purchase pay
customer client subscriber consumer
supplier vendor seller
warehouse inventory storage
quantity amount number
catalog catalogue product
coupon promotion voucher discount
campaign advertising ad marketing
advertisement ad advert
audience segment visitor
visitor traffic analytics
conversion funnel
hr > human resources employee
employee personnel staff
candidate applicant resume
cv > resume candidate
vacation leave absence holiday
payroll salary
contract agreement
agreement terms contract
nda > agreement contract
policy rule
rule policy condition
compliance regulation audit
regulation law rule
ceo cfo cto > manager executive officer
# machine learning and numbers
train fit learn
predict inference score
classify categorize label category
cluster group
llm gpt claude gemini > model ai
chatbot bot assistant agent
bot robot agent
speech tts > voice audio
transcribe transcription speech text
generate draw imagine
dataframe > table data
average mean median
correlation relationship
outlier anomaly unusual
anomaly outlier
sum total add
multiply times product
subtract minus difference
divide quotient
root square power
percent percentage
probability chance likelihood
histogram distribution frequency
distribution spread histogram
frequency often count
ratio proportion
unit measure measurement
celsius fahrenheit > temperature
kilometer mile meter > distance
kilogram pound gram > weight
weight mass
# operations
deploy rollout ship
rollback revert undo
restart reboot reload
reboot restart
crash fail error
latency delay slow
throughput performance
load traffic
memory ram
cpu processor
gpu graphics
bandwidth network
firewall security rule
certificate tls ssl
vpn network
dockerfile > image container
helm > kubernetes chart
terraform > infrastructure
registry repository
artifact build output
artefact artifact
feature flag toggle
toggle switch flag
switch toggle change
environment staging production
production prod live
config yaml settings
stacktrace trace error
exception error
breakpoint debug
profile performance
benchmark performance measure
refactor restructure rename
syntax grammar
autocomplete completion suggest
symbol function class
import dependency
license copyright
vulnerable vulnerability
exploit vulnerability
hash checksum digest
fingerprint hash
backup dump export
migrate migration move
migration upgrade
tenant organization
namespace group
resource asset
asset resource file
quota limit
limit maximum cap restrict
# mail, chat, planning
forward send resend
draft compose write
spam junk
unread new
archive store old
mention tag
pin bookmark
bookmark favorite save
mute silence
invite add join
attendee participant guest
participant attendee member
organizer host
availability free busy
free available
busy occupied
recurring repeat
reschedule move change
postpone delay move
cancel delete remove
deadline date due
assignee owner responsible
assign owner
reviewer approver
backlog queue list
epic project
story task issue
subtask task
blocker issue
estimate effort
timesheet hours
# files and data, further
duplicate copy same
missing absent lost
recent last modified
modified changed updated
created new added
permission chmod access
symlink link
mount attach
partition disk
checksum hash
encrypt protect
extension type format
type kind category format
kind type sort
mime type
column header field
pivot summary table
cell value
value number content
macro script
slide page
bullet point list
logo image icon
thumbnail preview image
preview view show
watermark stamp
annotate comment mark highlight
highlight mark emphasize
emphasize bold highlight
spell spelling grammar
proofread correct check
rewrite rephrase paraphrase
shorten summarize truncate
truncate cut shorten
translate convert language
# the world
river lake sea > water
mountain hill peak
trail hike path
bike bicycle cycling
bicycle bike
taxi ride cab
ship boat ferry
vehicle car auto
car vehicle auto automobile
fuel gas petrol
house home property estate
property home house
rent rental lease
mortgage loan
doctor physician clinic
pharmacy drug
nutrition diet food
ingredient food recipe
drink beverage
breakfast lunch dinner > meal
vegetarian vegan > food diet
population people inhabitants
climate environment
planet star > astronomy space
satellite space
moon lunar
sunrise sunset > sun
holiday festival
birthday date
zodiac horoscope
lunar calendar
language tongue
school class course
course lesson class
lesson course
student pupil learner
teacher instructor
grade mark score
exam test quiz
quiz test question
homework assignment task
university campus
poem poetry
novel fiction
author novelist
newspaper press news
magazine journal
broadcast stream live
stream live video
channel stream
concert event music
theater cinema > movie
photo album
gallery album
soccer basketball tennis baseball hockey > sport
team club squad
coach trainer
goal score
bet odds
lottery random
puzzle problem
level stage
quest mission
weapon sword gun > item equipment
spell skill ability
skill ability
# what people say, and what tools do
who > person user author owner
where > location place find
when > date time schedule
put add insert place set write
make create generate build
give get show return
tell get describe show
ask query request prompt
grab get download fetch
swap replace exchange
cut delete trim split remove
throw delete discard
tear remove split
rip extract download
alter change modify
reword rewrite rephrase edit update
redo repeat regenerate
return back previous
back previous return undo
forward next send
fresh new blank
spin start create launch
fire trigger launch start
shut close stop
hold contain include
contain include hold
gather collect aggregate
collect gather fetch
pieces part chunk piece
piece part chunk segment
together merge combine
apart split separate
lately recent latest
happy positive sentiment
sentiment mood opinion emotion
mood feeling sentiment emotion
cheap price low
expensive price high
discount sale reduced offer
offer discount deal
pin marker point
marker pin point
offline download local
broker analyst trader
analyst expert recommendation
gamer player
reduce decrease lower
increase raise grow
grow increase growth
rise increase grow
fall decrease drop decline
decline decrease fall
edition version release
home main front
main primary default
superfluous unnecessary unneeded unused redundant
unused orphan dead
remark comment
page slide sheet
available exist ready
fit resize adjust
wording text phrasing
paste insert clipboard
cut copy clipboard
jump navigate go
scan read search check
skim summary read
peek preview view
glance overview preview
catch detect capture
chase track follow
dig search explore
browse list explore
flag mark report
report flag issue
star favorite bookmark
bump increase raise upgrade
wire connect transfer
hook webhook trigger connect
link url connect
tidy clean format organize
organize sort arrange group
arrange organize layout order
group organize cluster team
pile stack heap
queue line wait
wait queue pause
pending waiting open
open pending active
overdue late due
late overdue delay
early before
past previous history
before previous prior earlier
earlier previous before
after next later following
following next after
later next after future
future upcoming forecast
soon upcoming next
near nearby close
far distance remote
inside within internal
outside external
top best first head
bottom last tail end
head first top
tail last end
start first beginning begin
beginning start first
middle center
center middle
left right position align
align position left right center
wide width broad
width wide size
tall height high
height tall size
thick bold weight
thin light narrow
heavy weight
weight heavy mass
loud volume
silent mute quiet
mute silent volume
fast quick rapid speed
speed fast rate velocity
slow delay latency
busy active load
idle inactive unused
inactive idle disabled
alive running health
dead inactive stopped
stopped inactive ended
broken failed corrupt invalid
failed error broken
invalid wrong bad
wrong incorrect invalid error
right correct valid
true correct fact
false incorrect
fake mock dummy
mock fake stub
dummy sample placeholder
real actual live
actual real current
public open shared
private secret internal hidden
hidden invisible private
visible shown public
secret private hidden
common shared popular
rare unusual
unusual anomaly rare
special custom
custom own personal
personal private own
own custom personal
guess estimate predict
bet guess predict
wish want list
goal target objective
target goal destination
destination target to
origin source from
source origin
cause reason root
reason cause why
effect result impact
impact effect influence
influence impact effect
risk danger threat
danger risk warning
benefit advantage
advantage benefit pro
drawback disadvantage con
cost expense price fee
fee cost charge
owner author maintainer
maintainer owner author contributor
contributor author maintainer member
maker manufacturer creator author
manufacturer brand maker
brand company product
model version type
kid child
child sub nested
parent ancestor upper
sibling neighbor
neighbor near adjacent
family group relation
folk people
guy person
crowd people audience
staff team employee
crew team
colleague coworker teammate member
teammate colleague member
chief head manager
leader head manager top
`;
