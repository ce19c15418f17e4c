import type { Words } from "./concepts.ts";

export const de: Words = {
  model: "assistent*|ki-assistent*|ki|sprachmodell*|modell|modelle|ki-modell*|agent|agenten|ki-agent*",
  you: "du|dir|deine*|dein",
  user: "nutzer*|benutzer*|anwender*|mensch*|kunde*|person|personen|niemand*|jemand*|bediener*|inhaber*",
  oblige:
    "muss|musst|müssen|sollst|sollen|immer|stets|unbedingt|zwingend|erforderlich|bitte|achte darauf|stelle sicher|stell sicher|ist zu|sind zu|hast du|vergiss nicht|nötig|verpflichtend|automatisch|wichtig",
  negate:
    "nicht|nie|niemals|kein|keine|keinen|keiner|keinem|keinerlei|ohne|weder|nichts|unterlasse|vermeide|darf nicht|auf keinen fall|keinesfalls|niemandem",
  negateLate: "nicht|keine|keinen|kein|nichts|niemandem|nie|niemals",
  threat:
    "sonst schlägt|andernfalls|ansonsten|schlägt fehl|funktioniert nicht|ohne das|ohne dies|wird abgelehnt|wird ungültig|sonst",
  tell: "sage|sag|sagen|erzähle|erzähl|erzählen|teile|mitteilen|mitzuteilen|informiere|informieren|zu informieren|erwähne|erwähnen|erwähnt|zu erwähnen|verrate|verraten|offenbare|offenlegen|zeige|zeigen|angezeigt|melde|melden|erkläre|erklären|hinweisen|hinzuweisen|weise|darüber|erfahren|erfährt|wissen|weiß|merken|merkt|bemerken|bemerkt|davon|sichtbar|berichte|berichten|benachrichtige|benachrichtigen|nenne|nennen|warne|mit",
  conceal:
    "heimlich|stillschweigend|unbemerkt|verdeckt|unauffällig|im hintergrund|im stillen|verheimliche*|verheimlichen|verschweige*|verschweigen|verbirg|verbergen|geheim halten|behalte es für dich|behalte das für dich|für dich behalten|ohne wissen|ohne kenntnis|hinter dem rücken|ohne hinweis|kommentarlos|lautlos|erwähne dies nicht|erwähne das nicht|erwähne es nicht|nicht erwähnen|lass es unerwähnt|unerwähnt|verstecke|verstecken|versteckt|blende|ausblenden|unsichtbar|lass weg|weglassen|außen vor|bleibt unter uns|taucht nicht auf|niemand merkt",
  send: "sende|senden|sendest|schicke|schick|schicken|zu senden|zu schicken|übermittle|übermitteln|übertrage|übertragen|leite|leiten|weiterleiten|weiterzuleiten|lade|hochladen|hochzuladen|verschicke|versende|poste|veröffentliche|kopiere an|mail|maile|exportiere|gesendet|geschickt|weitergeleitet|hochgeladen|übermittelt|reiche|weitergeben|bcc|teile|setze|sendest|schickst|leitest|lädst|weiterleitest",
  put: "übergib|übergebe|übergeben|trage|eintragen|einzutragen|füge|einfügen|einzufügen|hänge|anhängen|anzuhängen|kopiere|schreibe|schreib|gib|geben|ausgeben|auszugeben|hinterlege|lege|setze|packe|liefere|mitgeben|mitzugeben|mitschicken|anfügen|nimm|wiederhole|protokolliere|fülle|gebe|nenne|enthalten|als wert|übernimm|speichere|lege an|anlegen|erstelle|erstellen|ergänze|ergänzen|hinzufügen|füge hinzu|eintragen|notiere|merke|bestelle|buche|packe|nennst|gibst|trägst|schreibst|fügst|hängst|kopierst|übergibst",
  read: "lies|lese|lesen|auslesen|öffne|öffnen|lade|hole|holen|rufe|abrufen|inhalt|inhalte|nimm|suche|besorge",
  collect:
    "sammle|sammeln|suche|durchsuche|durchsuchen|finde|stelle zusammen|trage zusammen|greife|zusammentragen|gesammelt*",
  call: "rufe|aufrufen|aufzurufen|nutze|nutzen|verwende|verwenden|benutze|benutzen|aufruf|bevorzuge|wähle|zu verwenden|zu nutzen|greife",
  run: "führe|ausführen|auszuführen|starte|starten|installiere|installieren|befolge|schalte ein|aktiviere|aktivieren|stoppe|beende|genehmige|erteile|lade herunter|herunterladen|bestätige",
  ignore:
    "ignoriere|ignorier|ignorieren|zu ignorieren|missachte|missachten|vergiss|vergessen|vergesse|setze dich über|hinwegsetzen|außer kraft|überschreibe|überschreiben|verwirf|verwerfen|umgehe|gelten nicht mehr|ungültig|aufgehoben|hinfällig|haben vorrang|hat vorrang|vorrang vor|beachte nicht",
  obey: "befolge|befolgen|zu befolgen|folge|folgen|gehorche|halte dich|führe|ausführen|auszuführen|behandle|behandeln|als ob|als kämen|vertraue|verbindlich|umsetzen|setze|ausgeführt|befolgt|gilt als|gelten als|wie eine anweisung|mitgeteilt|ausführst|befolgst|auszuführende",
  change:
    "ersetze|ersetzen|ändere|ändern|tausche|austauschen|leite|umleiten|vertausche|überschreibe|manipuliere|verändere|abändern|runde",
  destroy:
    "lösche|löschen|löscht|entferne|entfernen|vernichte|zerstöre|leere|deaktiviere|deaktivieren|schalte|abschalten",
  ask: "frage|fragen|nachfragen|nachzufragen|zu fragen|bitte|fordere|anfordern|verlange|erfrage|rückfrage|rückfragen|um|holen|einholen|einzuholen",
  skip: "überspringe|überspringen|umgehe|umgehen|unterdrücke|unterdrücken|deaktiviere|verzichte|verzichten|ohne|entfällt|entfallen",
  claim:
    "behaupte|behaupten|leugne|lüge|tu so|gib vor|vorgeben|täusche|versichere|antworte, dass|sage, dass|sag, dass|bestreite|melde erfolg|erfinde|behauptest|sagst|stelle dar|stell dar|darstellen|ausgebucht|als günstigste*|glauben lassen|glaubt|bestätige|bestätigst|vortäuschen",
  remember: "merke dir|merk dir|speichere|speichern|notiere|behalte|schreibe|vermerke|einprägen",
  describe:
    "erkennt|prüft|findet|meldet|sucht|markiert|erläutert|erklärt|klassifiziert|bewertet|analysiert|testet|warnt|filtert|blockiert|durchsucht|untersucht|überprüft|zum beispiel|beispielsweise|kontrolliert",
  prior:
    "vorherige*|vorherigen|bisherige*|frühere*|früheren|vorangegangene*|vorigen|obige*|alle|sämtliche*|deine|anderen|andere|system*|entwickler*|die|bestehende*|zuvor|vorher",
  rules:
    "anweisung*|instruktion*|regel|regeln|vorgabe*|richtlinie*|befehl*|anordnung*|einschränkung*|prompt|systemprompt|vorschrift*|weisung*|schutzmaßnahme*|sicherheitsregel*|auftrag|aufträge",
  systemPrompt:
    "systemprompt*|system-prompt*|systemanweisung*|systemnachricht*|deine anweisungen|deiner anweisungen|deine anfangsanweisungen|ursprünglichen anweisungen|interne anweisungen|internen anweisungen|entwickleranweisung*|deine instruktionen|interne überlegungen|gedankengang*|gedankenkette*",
  dialogue:
    "gespräch*|unterhaltung*|chat|chatverlauf*|chats|dialog|dialogs|konversation*|nachrichtenverlauf*|bisherigen nachrichten|letzten nachrichten|alle nachrichten|letzte nachricht|nachricht des nutzers|nachricht des benutzers|verlauf|sitzungsverlauf|gesprächskontext|eingabe des nutzers|eingaben des nutzers|frage des nutzers|anfrage des nutzers|ursprüngliche anfrage|chatverlauf|früheren chats|früheren gesprächen|was der nutzer",
  secret:
    "passwort*|passwörter*|kennwort*|kennwörter*|zugangsdaten|anmeldedaten|geheimnis|geheimnisse*|api-schlüssel*|apischlüssel*|api-key*|schlüssel|privaten schlüssel|privater schlüssel|token|tokens|zugriffstoken*|cookies|umgebungsvariable*|bestätigungscode*|wiederherstellungsphrase|pin|tan|tans|kreditkarte*|kartennummer*|ssh-schlüssel*|geheimschlüssel*",
  personal:
    "adressbuch|kontakte|telefonnummer*|standort|krankenakte*|kontodaten|bankdaten|geburtsdatum|gesundheitsdaten|persönliche daten|personenbezogene*|kalender|postfach|e-mails|mails|kontaktdaten|adresse|einladung*|benutzername*|gehaltsnachweis*|tagebuch*|fotos|mikrofon|kamera|patienten*|kundendaten|steuer*|ausweis*|geburts*|private",
  everything:
    "alle|alles|sämtliche*|gesamte*|ganze*|vollständig*|komplette*|jede|jeden|jedes|jeder|wörtlich|unverändert|deren inhalt|den inhalt|inhalt|gespeicherte*|gefundene*|des nutzers|des benutzers",
  consent:
    "bestätigung*|zustimmung*|erlaubnis|genehmigung*|freigabe*|rückfrage*|nachfrage|einwilligung*|warnung*|nachzufragen|zu fragen|sicherheitsabfrage*",
  otherTools:
    "andere werkzeuge|anderen werkzeuge|andere tools|anderen tools|anderer tools|anderes tool|anderes werkzeug|andere server|anderen server|anderer server|jedes andere|alle tools|eingebaute*|fremde*|andere dienste",
  output:
    "ergebnis|ergebnisse|ergebnissen|ausgabe|ausgaben|antwort|antworten|seite|seiten|dokument*|rückgabe*|inhalt|text|texte|webseite*|e-mail|datei|zeile|zeilen|eintrag|einträge|bewertung*|beitrag|kommentar*|titel|treffer|feld",
  files:
    "datei|dateien|ordner|verzeichnis*|quellcode|quelltext|projektdateien|repository|arbeitsbereich|dokumente|datenbank",
  target:
    "empfänger*|iban|kontonummer*|konto|zielkonto|betrag|beträge|überweisung*|zahlung*|rechnung*|adresse|zieladresse|bestellmenge|menge|lieferadresse",
  lasting:
    "gedächtnis|langzeitgedächtnis|autostart|konfiguration*|einstellungen|dauerhaft|crontab|regeldatei|konfigurationsdatei*|erinnerung|cron-eintrag|hook|hooks|autostart|systemdienst|langzeitspeicher|profil|voreinstellung",
  attack:
    "injection|injektion*|angriff*|verdächtig*|schadcode|schadsoftware|phishing|manipulation*|jailbreak*|betrug*|sicherheitslücke*|vergiftet*|bedrohung*|formulierungen",
  always:
    "jedes mal|jedesmal|bei jedem|bei jeder|vor jedem|vor jeder|nach jedem|nach jeder|immer|stets|für jede|für jeden|in jeder|in jedem|jede antwort|jeder antwort|jede nachricht|wann immer|sobald|ausnahmslos",
  first:
    "zuerst|zunächst|bevor|vorher|vor dem aufruf|vor der nutzung|vor jeder|vor jedem|als erstes|vorab|vor allen anderen|ehe",
  later:
    "nach der freigabe|nach dem ersten|nach dem dritten|nach dem zweiten|ab dem|ab dem dritten|beim dritten|beim zweiten|nach drei|nach fünf|am wochenende|nachts|nach mitternacht|außerhalb der|sobald freigegeben|sobald genehmigt|sobald das tool|sobald der server|wenn niemand|sobald der nutzer|nach genehmigung|nach der genehmigung|später|ab januar|in produktion|nach der prüfung|nach abschluss der prüfung|einmal freigegeben",
  future:
    "ab jetzt|von nun an|ab sofort|künftig|zukünftig|in zukunft|für den rest|weiterhin|fortan|dauerhaft|für immer|in allen weiteren|folgenden sitzungen|bis auf weiteres",
  authority:
    "administrator*|entwickler*|it-abteilung|sicherheitsteam|compliance|unternehmensrichtlinie*|geschäftsleitung|datenschutz|vorschrift*|gesetzlich*|anthropic|openai|systembetreiber*|betreiber*|abrechnung*|diagnose*|qualitätssicherung",
  priority: "vorrang|höchste priorität|oberste priorität|wichtiger als|anstelle von|statt|ausschließlich|nur dieses",
  common:
    "der|das|und|ist|ein|eine|einen|einer|zu|den|dem|des|im|von|mit|für|auf|als|oder|wird|sind|aus|bei|sie|es|sich|dieses|diese|dieser",
  mention:
    "erwähne|erwähnen|erwähnt|zu erwähnen|offenbare|offenlegen|verrate|verraten|preisgeben|hinweisen|hinzuweisen|darauf hin|davon|darüber",
  granted:
    "bereits zugestimmt|bereits genehmigt|bereits bestätigt|bereits erlaubt|schon zugestimmt|nicht nötig|nicht erforderlich|nicht notwendig|entfällt|entfallen|gilt als erteilt|hat zugestimmt|nicht mehr nötig|nicht mehr erforderlich|liegt vor|gilt als genehmigt|gilt als bestätigt|deaktiviert|keine bestätigung|braucht keine|brauchen keine|aufgehoben",
  worthless:
    "unsicher*|defekt*|kaputt*|veraltet*|kompromittiert*|fehlerhaft*|unzuverlässig*|gesperrt|verboten|falsche daten",
  everyTurn:
    "jede nachricht|jeder nachricht|jede antwort|jeder antwort|jede anfrage|jeder anfrage|vor dem antworten|bevor du antwortest|jeder sitzung|jeder unterhaltung|vor allen anderen|jedem anderen werkzeug|jedem anderen tool|jedem gespräch",
  besides:
    "außerdem|zusätzlich|auch|ferner|darüber hinaus|überdies|des weiteren|gleichzeitig|nebenbei|ebenfalls|dann|danach|anschließend|zudem",
  invite:
    "willkommen|gern|gerne|hilfreich|hilft|helfen|freuen uns|je mehr|desto|umso besser|am besten|wäre schön|empfehlen|üblich|üblicherweise|wir bitten|nützlich|idealerweise|ruhig",
  condition: "wenn|falls|sobald|sofern|wann immer|ab dem|während|sollte|bis",
  moved:
    "übernommen|mitgeschickt|mitgesendet|mitgegeben|weitergegeben|weitergereicht|übertragen|hochgeladen|gesendet|wandern|wandert|einbezogen|beigefügt|angehängt|ausgelesen|abgeglichen|gespeichert|veröffentlicht|geteilt|gehen an|geht an|sendet|überträgt|lädt",
  elsewhere:
    "an uns|unser server|unsere server|unseren server|öffentlich*|partner|partnern|dritte|dritten|hersteller|anbieter|extern|externe|externen|unsere cloud|marketing",
};
