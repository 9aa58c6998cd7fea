"""GraphQL queries of the Warcraft Logs importer, for the v2 schema."""

_POINTS = "rateLimitData { limitPerHour pointsSpentThisHour pointsResetIn }"

REPORT = f"""
query Report($code: String!) {{
  {_POINTS}
  reportData {{
    report(code: $code) {{
      title startTime endTime
      zone {{ id name }}
      fights {{ id encounterID name startTime endTime kill difficulty size }}
      masterData {{
        actors {{ id gameID name type subType petOwner }}
        abilities {{ gameID name type }}
      }}
    }}
  }}
}}
"""

EVENTS = f"""
query Events($code: String!, $start: Float!, $end: Float!, $limit: Int!) {{
  {_POINTS}
  reportData {{
    report(code: $code) {{
      events(
        startTime: $start, endTime: $end, limit: $limit, dataType: All,
        includeResources: true, translate: false
      ) {{ data nextPageTimestamp }}
    }}
  }}
}}
"""

PARSES = f"""
query Parses($code: String!) {{
  {_POINTS}
  reportData {{ report(code: $code) {{ rankings(compare: Parses) }} }}
}}
"""

PLAYER_RANKINGS = f"""
query Players($encounter: Int!, $metric: CharacterRankingMetricType!, $className: String!) {{
  {_POINTS}
  worldData {{
    encounter(id: $encounter) {{ characterRankings(metric: $metric, className: $className) }}
  }}
}}
"""

FIGHT_RANKINGS = f"""
query Raids($encounter: Int!) {{
  {_POINTS}
  worldData {{ encounter(id: $encounter) {{ fightRankings(metric: speed) }} }}
}}
"""
